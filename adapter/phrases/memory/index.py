"""Packed entries by subject, found by any of their numbers."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from adapter.phrases.memory.entries import unpack

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_HOLDERS = 8
"""Maximum number of people who share a number; a number with more holders identifies nobody."""
_NOBODY: Mapping[str, None] = MappingProxyType({})


class Index:
    """Packed entries by subject, the least recently changed first, and the holders of numbers."""

    def __init__(self) -> None:
        """Start empty."""
        self.entries: dict[str, bytes] = {}
        self._numbers: dict[str, dict[str, None]] = {}

    def put(self, subject: str, raw: bytes | None) -> None:
        """Set a subject's packed entry, or remove it if ``raw`` is None."""
        before = self.entries.pop(subject, None)
        if before is not None:
            for number in unpack(before).numbers:
                holders = self._numbers[number]
                del holders[subject]
                if not holders:
                    del self._numbers[number]
        if raw is not None:
            self.entries[subject] = raw
            for number in unpack(raw).numbers:
                self._numbers.setdefault(number, {})[subject] = None

    def all_holders(self, number: str) -> Mapping[str, None]:
        """Return the subjects with a number, the least recently changed first."""
        return self._numbers.get(number, _NOBODY)

    def holders(self, number: str) -> tuple[str, ...]:
        """Return the subjects with a number; nobody if there are too many."""
        found = self.all_holders(number)
        return tuple(found) if len(found) <= MOST_HOLDERS else ()
