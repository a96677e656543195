"""Numbers in a message's identifying fields, which no measured value of the message may repeat."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.types import Action, Message

LEAST = 7
"""Minimum number of digits, without leading zeros; shorter ones agree with a count by chance."""
_CATEGORIES = frozenset({"ID", "CONTACT"})


class Numbers:
    """The digits of a message's ids and telephone numbers, collected on first use."""

    def __init__(self, message: Message, actions: Sequence[Action]) -> None:
        self._message, self._actions = message, actions
        self._numbers: frozenset[str] | None = None

    def __contains__(self, text: str) -> bool:
        """Whether a text is one of these numbers."""
        number = _digits(text)
        if len(number) < LEAST:
            return False
        if self._numbers is None:
            self._numbers = frozenset(
                _digits(segment.text)
                for segment, action in zip(self._message.segments, self._actions, strict=True)
                if action.label is not None and action.label.category in _CATEGORIES
            )
        return number in self._numbers


def _digits(text: str) -> str:
    return "".join(filter(str.isdigit, text)).lstrip("0")
