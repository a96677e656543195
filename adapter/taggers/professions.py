"""Occupations of patients and their people: an occupation word with what specifies it.

"retired school librarian", "works as a line cook", "Dad (31) long-haul driver". Words that are
also staff roles ("nurse", "manager") need a context that says it is a life's occupation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.reading import BIT, BLANK, CAPITAL, GLUED, LINE, MARK, NUMBER, UPPER, words
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.taggers.reading import Reading, Vocabulary

PRIORITY = 50
REACH = 7
"""How many words before an occupation its context may begin."""

_OPENERS = words("retired former formerly ex works worked working employed occupation occup job trade profession "
    "career self unemployed jobs wfh")
_AGES = words("old yo y.o yr")
_ENDERS = words("retired former formerly ex currently now then later previously part full time semi disabled "
    "single married divorced widowed separated male female man woman gentleman lady boy girl old "
    "year yo y o year-old who works worked working employed occupation job as former active "
    "righthanded handed dominant healthy obese elderly pleasant also still been being another "
    "weekend rhd lhd rh lh r l f m w onetime longtime lifelong unemployed right left")
_AS = words("works worked working work employed job career retired trained served")
_FIELDS = words("occupation occup occ job profession employment trade career")
_RETIRED = words("retired former formerly ex retd ret")
_ARTICLES = frozenset(("a", "an", "the", "-", "as", "part", "time", "full"))
_NOUN_ENDS = words("now lives living smoker drinker user alcoholic here there")
_AGENTS = (
    "er", "or", "ist", "ian", "man", "woman", "ant", "ent", "eer", "ess", "smith", "wright",
    "keeper", "hand", "aide", "chef", "cook", "clerk", "nurse", "tech", "officer", "pilot",
    "guard", "lady", "agent", "lead", "coach",
)  # fmt: skip
_THEN = words("then later now previously formerly")
_SUBJECTS = words("he she pt patient who")
_KIN = BIT["kin"] | BIT["patient"]
_SUFFIXES = ("keeper", "wright", "blower", "builder", "monger", "herder", "smith", "maker")
_NOT_JOBS = words("pacemaker timekeeper goalkeeper bodybuilder matchmaker gatekeeper")


class Professions:
    """The occupation rules over one reading."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary

    def find(self) -> Iterator[Span]:
        """Yield occupations."""
        r, v = self._r, self._v
        trade = v.trade.classes
        for at, word in enumerate(r.words):
            if word in _OPENERS or word == "as":
                yield from self._said(at)
            classes = trade.get(word) or self._suffixed(word)
            if not classes or (len(classes) == 1 and classes[0] == "modifier"):
                continue
            first = self._left(at)
            if self._is_job(first, at, classes):
                yield self._span(first, at + 1)
            job = v.job.lengths.get(word) and v.job.longest(r.words, at)
            if job and job > 1 and self._opened(at):
                yield self._span(at, at + job)

    def _said(self, at: int) -> Iterator[Span]:
        """An occupation said to be one ("works as a ...", "retired ..."), whatever the word."""
        r = self._r
        word = r.words[at]
        start = at + 1
        any_word = False
        if word == "as" and at and r.words[at - 1] in _AS:
            any_word = True
        elif word in _FIELDS and start < len(r) and r.words[start] in (":", "-"):
            start += 1
            any_word = True
        elif word not in _RETIRED:
            return
        while start < len(r) and r.words[start] in _ARTICLES and r.gaps[start] < LINE:
            start += 1
        last = start
        while last < len(r) and last - start < 4 and self._noun(last, start):  # noqa: PLR2004
            last += 1
        if last > start and r.words[last - 1] not in _ENDERS and (
            any_word or (r.words[last - 1].endswith(_AGENTS) and len(r.words[last - 1]) > 4)  # noqa: PLR2004
        ):
            yield self._span(start, last)

    def _noun(self, at: int, start: int) -> bool:
        r = self._r
        if r.shapes[at] in (MARK, NUMBER) or (at > start and r.gaps[at] >= LINE):
            return False
        if r.words[at] in _ENDERS or r.words[at] in _NOUN_ENDS:
            return False
        return not r.cues[at] & (
            BIT["stop"] | BIT["prep"] | BIT["kin"] | BIT["patient"] | BIT["verb"]
        )

    def _span(self, first: int, last: int) -> Span:
        r = self._r
        return Span(
            r.starts[first], r.ends[last - 1], Label.PROFESSION, "professions.context", 0.8,
            PRIORITY,
        )  # fmt: skip

    def _suffixed(self, word: str) -> tuple[str, ...]:
        if word.endswith(_SUFFIXES) and word not in _NOT_JOBS and len(word) > 7 and (  # noqa: PLR2004
            word in self._v.ordinary
        ):
            return ("sure",)
        return ()

    def _left(self, head: int) -> int:
        r = self._r
        first = head
        while first > 0 and head - first < 4 and r.gaps[first] <= BLANK:  # noqa: PLR2004
            at = first - 1
            if r.words[at] == "-" and r.gaps[at] == GLUED and r.gaps[first] == GLUED:
                first -= 2
                continue
            if r.shapes[at] in (MARK, NUMBER) or r.words[at] in _ENDERS:
                break
            if r.cues[at] & (BIT["stop"] | BIT["heading"] | BIT["prep"] | BIT["kin"] | BIT["patient"] | BIT["by"]
                             | BIT["verb"] | BIT["demonym"] | BIT["title"]):
                break
            if "modifier" not in self._v.trade.classes.get(r.words[at], ()) and (
                self._v.ordinary.get(r.words[at], 0) >= 6 or (self._v.named(r.words[at])  # noqa: PLR2004
                and r.words[at] not in self._v.ordinary)
            ):
                break
            first = at
        return max(first, 0)

    def _is_job(self, first: int, head: int, classes: tuple[str, ...]) -> bool:
        opened = self._opened(first)
        if opened:
            return True
        if "health" in classes:
            return False
        specified = first < head and any(
            "modifier" in self._v.trade.classes.get(w, ()) for w in self._r.words[first:head]
        )
        if self._named(head):
            return False
        if "sure" in classes:
            return not self._r.cues[first] & BIT["credential"]
        return specified and not self._staffed(first, head)

    def _named(self, head: int) -> bool:
        """Whether an occupation word is written as somebody's name."""
        r = self._r
        return r.shapes[head] in (CAPITAL, UPPER) and not r.shouted[head]

    def _staffed(self, first: int, head: int) -> bool:
        words = self._r.words[first : head + 1]
        return any(w in ("medical", "lab", "laboratory", "surgical", "scrub", "research", "dental",
                         "pharmacy", "health", "call", "customer", "quality", "data", "home",
                         "phone", "night", "special", "house", "claims", "service") for w in words)

    def _opened(self, first: int) -> bool:
        """Whether the words before say that an occupation of somebody follows."""
        r = self._r
        at = first - 1
        steps = 0
        while at >= 0 and steps < REACH and r.gaps[at + 1] != LINE:
            word = r.words[at]
            if word in _OPENERS:
                return True
            if word in _AGES and steps < 3:  # noqa: PLR2004
                return True
            if word in ("is", "was", "a", "an", "s") and steps < 2 and self._subject(at):  # noqa: PLR2004
                return True
            if r.cues[at] & BIT["kin"] and steps < 2 and r.words[at + 1] != "'":  # noqa: PLR2004
                return True
            if (word in ".;" and steps) or (word == "," and steps and r.words[at + 1] not in _THEN):
                return False
            at -= 1
            steps += 1
        return False

    def _subject(self, at: int) -> bool:
        words = self._r.words[max(0, at - 4) : at + 1]
        cues = self._r.cues[max(0, at - 4) : at + 1]
        return any(w in _SUBJECTS for w in words) or any(c & _KIN for c in cues)
