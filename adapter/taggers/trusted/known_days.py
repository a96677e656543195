"""Days of a message's date fields that a text writes in digits: "adm 6-9-24" with PV1-44 20240609.

Such digits may be a range or a version elsewhere; they are a date if a field has the same day.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.priorities import CERTAIN
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

SOURCE = "known-day"
"""Source of spans of days that a field of the message has too."""
_WRITTEN = regex.compile(
    r"(?<![\p{L}\d])(?<!\d[-./:,])(\d{1,2})([-./\u2010-\u2015\u2212])(\d{1,2})\2(\d{4}|\d{2})"
    r"(?!\d|\p{L}|[-./:,]\d|[ ]?%)"
)
"""Two numbers and a year, whose separators are equal, not part of a longer row of numbers."""
_CENTURIES = ("19", "20", "21")


def known_days(text: str, days: Container[str]) -> Iterator[Span]:
    """Yield the dates in a text whose day is one of ``days`` (YYYYMMDD), month or day first."""
    for found in _WRITTEN.finditer(text) if days else ():
        first, second, year = found[1].zfill(2), found[3].zfill(2), found[4]
        years = (year,) if len(year) > len(first) else tuple(c + year for c in _CENTURIES)
        if any(y + m in days for y in years for m in (first + second, second + first)):
            yield Span(found.start(), found.end(), Label.DATE, SOURCE, 1.0, CERTAIN)
