"""Remaining names: capitalised words that are not words of the language.

In mixed-case text a capital in the middle of a sentence marks a name. Words at a start, and lines
in capitals, must be listed. These rules are weak: the label of any other rule takes precedence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.english.capitals import AT, NEVER, PLACING, Capitals
from adapter.taggers.english.vocabulary import BIT
from adapter.taggers.english.words import BLANK, CAPITAL, GLUED, INITIAL, MARK, UPPER
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.taggers.english.vocabulary import Vocabulary
    from adapter.taggers.english.words import Reading

PRIORITY = 30
TITLE_CASE, RARE = 2, 2
"""Minimum number of words in a name of ordinary words; maximum strength of words rare in notes."""
_JOINS = frozenset(("-", "'", "&"))
_BESIDE = NEVER & ~(BIT["generic"] | BIT["heading"] | BIT["facility"] | BIT["street"])


class ProperNouns:
    """The rules for capitalised words without a cue."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary
        self._capitals = Capitals(reading, vocabulary)

    def find(self) -> Iterator[Span]:
        """Yield words that are names by their capital or a list, with words that belong to them."""
        done = 0
        for at in self._r.capitals:
            if at < done or self._r.shapes[at] == INITIAL:
                continue
            done = at + self._eponym(at)
            if done == at:
                done = self._run(at)
                yield from self._named(at, done)

    def _eponym(self, at: int) -> int:
        """Return the number of words of a multi-word eponym at ``at``; 0 for none."""
        eponyms = self._v.eponyms
        if self._r.words[at] not in eponyms.lengths:
            return 0
        length = eponyms.longest(self._r.words, at)
        return length if length > 1 else 0

    def _run(self, at: int) -> int:
        """Return the end of the run of capitalised words that begins at ``at``."""
        mixed, count = self._r.shapes[at] == CAPITAL, len(self._r)
        at += 1
        while at < count:
            step = self._continues(at, mixed=mixed)
            if not step or self._eponym(at):
                break
            at += step
        return at

    def _continues(self, at: int, *, mixed: bool) -> int:
        r = self._r
        if r.gaps[at] == BLANK:
            if r.shapes[at] == CAPITAL:
                return int(not r.cues[at] & BIT["stop"])
            return int(r.shapes[at] == UPPER and mixed and not r.shouted[at])
        joined = (
            r.words[at] in _JOINS
            and at + 1 < len(r)
            and r.gaps[at] == r.gaps[at + 1] == GLUED
            and (r.shapes[at + 1] in (CAPITAL, UPPER) or r.words[at + 1] == "s")
        )
        return 2 if joined else 0

    def _named(self, first: int, last: int) -> Iterator[Span]:
        sure = [at for at in range(first, last) if self._capitals.sure(at)]
        if not sure:
            if self._title_case(first, last):
                yield self._span(first, last)
            return
        start, end = sure[0], sure[-1] + 1
        if self._r.shapes[first] == CAPITAL:
            while start > first and self._extends(start - 1):
                start -= 1
            while end < last and self._extends(end):
                end += 1
        yield self._span(start, end)

    def _extends(self, at: int) -> bool:
        """Whether the word at ``at``, beside a sure name, belongs to the name."""
        r, v = self._r, self._v
        word = r.words[at]
        if r.shapes[at] == MARK or word == "s" or r.cues[at] & BIT["tail"]:
            return True
        if r.cues[at] & _BESIDE or r.shapes[at] == UPPER:
            return False
        opening = v.plain(word) and self._capitals.opens(at)
        return word not in v.medical and word not in v.abbreviation and not opening

    def _title_case(self, first: int, last: int) -> bool:
        """Whether two or more capitalised words in mid-sentence, none medical, are a name."""
        r, v = self._r, self._v
        if last - first < TITLE_CASE or r.shapes[first] != CAPITAL or self._capitals.opens(first):
            return False
        inside = [at for at in range(first, last) if r.shapes[at] != MARK and r.words[at] != "s"]
        return (
            len(inside) >= TITLE_CASE
            and all(self._ordinary(at) for at in inside)
            and any(
                v.ordinary.get(r.words[at], 0) <= RARE and not r.cues[at] & BIT["generic"]
                for at in inside
            )
            and not self._capitals.eponymous(last - 1)
        )

    def _ordinary(self, at: int) -> bool:
        """Whether the word is capitalised, and neither medical nor usual in notes."""
        r, v = self._r, self._v
        word = r.words[at]
        return (
            r.shapes[at] == CAPITAL
            and word not in v.medical
            and word not in v.abbreviation
            and not r.cues[at] & (NEVER & ~(BIT["generic"] | BIT["street"]))
        )

    def _span(self, first: int, last: int) -> Span:
        r = self._r
        label = self._label(first, last)
        while label in (Label.PATIENT, Label.CITY) and r.words[last - 1] in ("s", "'"):
            last -= 1
        return Span(r.starts[first], r.ends[last - 1], label, "names.capital", 0.6, PRIORITY)

    def _label(self, first: int, last: int) -> Label:
        r, v = self._r, self._v
        before, word = r.words[first - 1] if first else "", r.words[first]
        if any(cues & (BIT["facility"] | BIT["centre"]) for cues in r.cues[first:last]):
            return Label.HOSPITAL
        if before in AT:
            return Label.ORGANIZATION
        if before in PLACING and (word in v.city or not v.named(word)):
            return Label.CITY
        return Label.PATIENT
