"""Days and numbers in a message's fields about people, which no public value of it may repeat."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import regex

from adapter.types import Handling, Label
from adapter.values.proof.days import day_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adapter.types import Action, Message

LEAST = 7
"""Minimum number of digits, without leading zeros; shorter ones agree with a count by chance."""
_WHOLE = regex.compile(r"[.,]0+$")
"""The decimals of a number that is whole all the same."""
_NUMBERED = frozenset({"ID", "CONTACT"})


@dataclass(frozen=True)
class Repeats:
    """The keys of some of a message's fields, collected on first use; an empty key is none."""

    message: Message = field(repr=False)
    actions: Sequence[Action] = field(repr=False)
    key_of: Callable[[str], str]
    counts: Callable[[Action], bool]

    def __contains__(self, text: str) -> bool:
        """Whether a text has the key of one of the fields."""
        key = self.key_of(text)
        return bool(key) and key in self._keys

    @cached_property
    def _keys(self) -> frozenset[str]:
        return frozenset(
            self.key_of(segment.text)
            for segment, action in zip(self.message.segments, self.actions, strict=True)
            if self.counts(action)
        )


def days(message: Message, actions: Sequence[Action]) -> Repeats:
    """Return the days in a message's shifted and other date fields."""
    return Repeats(message, actions, day_of, _is_dated)


def numbers(message: Message, actions: Sequence[Action]) -> Repeats:
    """Return the digits of a message's ids and telephone numbers."""
    return Repeats(message, actions, _digits, _is_number)


def _is_dated(action: Action) -> bool:
    return action.handling is Handling.SHIFT or action.label is Label.DATE


def _is_number(action: Action) -> bool:
    return action.label is not None and action.label.category in _NUMBERED


def _digits(text: str) -> str:
    digits = "".join(filter(str.isdigit, _WHOLE.sub("", text.strip()))).lstrip("0")
    return digits if len(digits) >= LEAST else ""
