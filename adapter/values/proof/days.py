"""Days in the date fields of a message, which no public value of the message may repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.types import Handling, Label

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.types import Action, Message

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


class Days:
    """The days in a message's shifted and other date fields, collected on first use."""

    def __init__(self, message: Message, actions: Sequence[Action]) -> None:
        self._message, self._actions = message, actions
        self._days: frozenset[str] | None = None

    def __contains__(self, text: str) -> bool:
        """Whether a text begins with one of these days."""
        day = day_of(text)
        if not day:
            return False
        if self._days is None:
            self._days = frozenset(
                day_of(segment.text)
                for segment, action in zip(self._message.segments, self._actions, strict=True)
                if action.handling is Handling.SHIFT or action.label is Label.DATE
            )
        return day in self._days
