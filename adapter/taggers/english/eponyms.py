"""Vetoes: "Parkinson's disease", "Kelly clamp", "Jackson-Pratt" name no person or place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.english.vocabulary import BIT
from adapter.taggers.english.words import BLANK, CAPITAL, GLUED, INITIAL, LINE, LOWER, UPPER
from adapter.types import Label, Veto

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.taggers.english.vocabulary import Vocabulary
    from adapter.taggers.english.words import Reading

PRIORITY = 65
HYPHENATED = 80
"""Priority of a listed eponym of hyphenated names, above what was learned: hardly a surname."""
_CATEGORIES = ("NAME", "LOCATION", "PROFESSION")
SURE = 101
"""Priority of an eponym beside the thing named; even trusted phrases yield to it.

A patient named Foley has a "Foley catheter" like anybody else: replacing it would reveal the name.
"""
LABELS = frozenset(label for label in Label if label.category in _CATEGORIES)
WHOLE = 3
"""Strength of an eponym that includes the thing named."""
_PAIR = " - "
_PEOPLE = BIT["title"] | BIT["doctor"]


class Eponyms:
    """The eponym rules over one reading."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary

    def find(self) -> Iterator[Veto]:
        """Yield the extents of eponyms of several words, or with the thing named."""
        r = self._r
        starts = self._v.eponym_starts
        for at, word in enumerate(r.words):
            if word not in starts or r.shapes[at] not in (CAPITAL, UPPER, LOWER):
                continue
            end = self._end(at)
            veto = self._veto(at, end) if end else None
            if veto and not self._titled(at, sure=veto.priority == SURE):
                yield veto

    def _veto(self, at: int, end: int) -> Veto:
        r = self._r
        last = end + (end < len(r) and r.gaps[end] < LINE and self._thing(end))
        whole = " ".join(r.words[at:end])
        sure = self._v.eponyms.strengths.get(whole) == WHOLE
        if not sure and not (last > at + 1 and self._thing(last - 1)):
            priority = HYPHENATED if _PAIR in whole else PRIORITY
            return Veto(r.starts[at], r.ends[end - 1], "eponym", LABELS, priority)
        first = at - 2 * self._marked(at)
        return Veto(r.starts[first], r.ends[last - 1], "eponym.thing", LABELS, SURE)

    def _marked(self, at: int) -> bool:
        """Whether the lower-case letter of a list item precedes: "b. Foley catheter"."""
        r = self._r
        return (
            at > 1
            and r.words[at - 1] == "."
            and len(r.words[at - 2]) == 1
            and r.shapes[at - 2] == LOWER
            and r.gaps[at - 1] == GLUED
        )

    def _thing(self, at: int) -> bool:
        """Whether the word at ``at`` is a thing that may be named after somebody, not a verb."""
        return bool(self._r.cues[at] & BIT["thing"])

    def _end(self, at: int) -> int:
        """Return the end of the eponym at ``at``; 0 if the word may mean a person."""
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

    def _titled(self, at: int, *, sure: bool) -> bool:
        """Whether a title, or an initial before what may be a name, shows a person is meant."""
        r = self._r
        dotted = at > 1 and r.words[at - 1] == "."
        before = at - 1 - dotted
        if before < 0 or r.gaps[at] >= LINE:
            return False
        if sure and before and r.words[before - 1].isdigit() and r.gaps[before] < LINE:
            return False  # "16 Fr Foley catheter": a gauge, no Father
        initial = dotted and r.shapes[before] == INITIAL and not sure
        return bool(r.cues[before] & _PEOPLE) or initial
