"""The day with which a text begins, in the layouts of fields."""

from __future__ import annotations

import regex

_YEAR_FIRST = regex.compile(
    r"((?:18|19|20)\d\d)-?([01]\d)-?([0-3]\d)(?!(?:\d|[3-9]\d|2[4-9]|\d{3})(?!\d))"
)
_YEAR_LAST = regex.compile(r"([01]\d)/?([0-3]\d)/?((?:18|19|20)\d\d)")


def day_of(text: str) -> str:
    """Return the day that begins a text, or is all of it if the year is last, as YYYYMMDD or ""."""
    text = text.strip()
    if found := _YEAR_FIRST.match(text):
        return found[1] + found[2] + found[3]
    found = _YEAR_LAST.fullmatch(text)
    return found[3] + found[1] + found[2] if found else ""
