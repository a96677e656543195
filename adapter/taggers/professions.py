"""Occupations of patients and their people: an occupation word with what specifies it.

"retired school librarian", "works as a line cook", "Dad (31) long-haul driver". Words that are
also staff roles ("nurse", "manager") need a context that says it is a life's occupation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.reading import BIT, BLANK, GLUED, LINE, MARK, NUMBER
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.taggers.reading import Reading, Vocabulary

PRIORITY = 50
REACH = 7
"""How many words before an occupation its context may begin."""

_OPENERS = frozenset(
    "retired former formerly ex works worked working employed occupation occup job trade profession "
    "career self unemployed jobs wfh".split()
)
_AGES = frozenset("old yo y.o yr".split())
_ENDERS = frozenset(
    "retired former formerly ex currently now then later previously part full time semi disabled "
    "single married divorced widowed separated male female man woman gentleman lady boy girl old "
    "year yo y o year-old who works worked working employed occupation job as former active "
    "righthanded handed dominant healthy obese elderly pleasant also still been being another "
    "onetime longtime lifelong unemployed right left".split()
)
_SUBJECTS = frozenset("he she pt patient who".split())
_KIN = BIT["kin"] | BIT["patient"]
_SUFFIXES = ("keeper", "wright", "blower", "builder", "monger", "herder", "smith", "maker")
_NOT_JOBS = frozenset("pacemaker timekeeper goalkeeper bodybuilder matchmaker gatekeeper".split())


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
            classes = trade.get(word) or self._plural(word) or self._suffixed(word)
            if not classes or (len(classes) == 1 and classes[0] == "modifier"):
                continue
            first = self._left(at)
            if self._is_job(first, at, classes):
                yield Span(
                    r.starts[first], r.ends[at], Label.PROFESSION, "professions.context", 0.8,
                    PRIORITY,
                )  # fmt: skip

    def _plural(self, word: str) -> tuple[str, ...]:
        return ()

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
                self._v.ordinary.get(r.words[at], 0) >= 6 or self._v.named(r.words[at])  # noqa: PLR2004
                and r.words[at] not in self._v.ordinary
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
        if "sure" in classes:
            return self._r.shapes[head] != self._r.shapes[head] or not self._named(head)
        return specified and not self._staffed(first, head)

    def _named(self, head: int) -> bool:
        """Whether an occupation word is written as somebody's name."""
        r = self._r
        return r.shapes[head] in (1, 2) and not r.shouted[head] and not self._starts(head)

    def _starts(self, at: int) -> bool:
        r = self._r
        return r.gaps[at] >= LINE or r.shapes[at - 1] == MARK

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
            if word in ".;:" and word != ".":
                return False
            if r.shapes[at] == MARK and word in ".;" and steps:
                return False
            at -= 1
            steps += 1
        return False

    def _subject(self, at: int) -> bool:
        words = self._r.words[max(0, at - 4) : at + 1]
        cues = self._r.cues[max(0, at - 4) : at + 1]
        return any(w in _SUBJECTS for w in words) or any(c & _KIN for c in cues)
