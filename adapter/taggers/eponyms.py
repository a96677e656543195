"""Vetoes: "Parkinson's disease", "Kelly clamp", "Jackson-Pratt" name no person or place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.reading import BLANK, CAPITAL, GLUED, LINE, LOWER, UPPER
from adapter.taggers.vocabulary import BIT
from adapter.types import Label, Veto

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.taggers.reading import Reading
    from adapter.taggers.vocabulary import Vocabulary

PRIORITY = 65
LABELS = frozenset(label for label in Label if label.category in ("NAME", "LOCATION"))
_PEOPLE = BIT["title"] | BIT["doctor"]


class Eponyms:
    """The eponym rules over one reading."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary

    def find(self) -> Iterator[Veto]:
        """Yield the extents of eponyms: of several words, or with the thing they name."""
        r = self._r
        starts = self._v.eponym_starts
        for at, word in enumerate(r.words):
            if word not in starts or r.shapes[at] not in (CAPITAL, UPPER, LOWER):
                continue
            end = self._end(at)
            if end and not self._titled(at):
                yield Veto(r.starts[at], r.ends[end - 1], "eponym", LABELS, PRIORITY)

    def _end(self, at: int) -> int:
        """Where the eponym at ``at`` ends; 0 where the word may stand for itself."""
        r = self._r
        length = self._v.eponyms.longest(r.words, at)
        if length > 1:
            return at + length if LINE not in r.gaps[at + 1 : at + length] else 0
        if not length:
            return 0
        after = at + 1
        if r.words[after : after + 1] == ["'"] and r.gaps[after] == GLUED:
            after += 1 + (r.words[after + 1 : after + 2] == ["s"])
        thing = after < len(r) and r.gaps[after] == BLANK and r.cues[after] & BIT["eponymic"]
        return after + 1 if thing and r.shapes[after] == LOWER and len(r.words[after]) > 1 else 0

    def _titled(self, at: int) -> bool:
        """Whether a title or an initial before says that a person is meant."""
        r = self._r
        before = at - 1 - (at > 1 and r.words[at - 1] == ".")
        return (
            before >= 0
            and r.gaps[at] < LINE
            and (bool(r.cues[before] & _PEOPLE) or before < at - 1)
        )
