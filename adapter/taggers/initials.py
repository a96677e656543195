"""Initials of those who signed: at the end of a text, of a line, before a typist's initials.

"-- jtm", "EG/ml", "Rounds done. KA", "5/16 TF".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.reading import GLUED, LINE, LOWER, MARK, NUMBER, UPPER, WIDE
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.taggers.reading import Reading, Vocabulary

PRIORITY = 50
SHORTEST, LONGEST = 2, 3


class Initials:
    """The rules for signing initials over one reading."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary

    def find(self) -> Iterator[Span]:
        """Yield initials that sign."""
        r = self._r
        for at, word in enumerate(r.words):
            if SHORTEST <= len(word) <= LONGEST and r.shapes[at] in (UPPER, LOWER) and (
                self._signs(at)
            ):
                yield Span(
                    r.starts[at], r.ends[at], Label.DOCTOR, "names.initials", 0.7, PRIORITY
                )

    def _signs(self, at: int) -> bool:
        r, v = self._r, self._v
        word = r.words[at]
        if word in v.abbreviation or r.cues[at] or word in v.state.strengths:
            return False
        if r.shapes[at] == LOWER and word in v.ordinary:
            return False
        ends = at + 1 >= len(r) or r.gaps[at + 1] == LINE
        typist = self._typist(at)
        if not (ends or typist or self._stamped(at)):
            return False
        if at == 0 or r.gaps[at] == LINE:
            return (typist or at + 1 >= len(r) or r.shapes[at] == UPPER) and at > 0
        before = r.words[at - 1]
        if r.shapes[at - 1] == NUMBER:
            return r.shapes[at] == UPPER and (typist or ends) and len(r.words[at - 1]) == 4  # noqa: PLR2004
        if before == "/" and r.gaps[at] == GLUED and r.shapes[at - 2] in (UPPER, LOWER) and (
            r.shapes[at] == LOWER
        ):
            return False
        if r.shapes[at - 1] == MARK and before in ".!?)-/":
            return before != "-" or r.gaps[at - 1] != GLUED or r.words[at - 2] == "-"
        return r.gaps[at] == WIDE and r.shapes[at] == UPPER and ends

    def _typist(self, at: int) -> bool:
        """Whether a slash and a second person's initials follow, and end it."""
        r = self._r
        slash = at + 1
        if slash >= len(r) or r.words[slash] not in "/:" or r.gaps[slash] != GLUED:
            return False
        second = slash + 1
        if second >= len(r) or r.gaps[second] == LINE:
            return True
        return len(r.words[second]) <= LONGEST and r.shapes[second] in (LOWER, UPPER) and (
            r.gaps[second] == GLUED
            and r.shapes[at] == UPPER
            and r.words[second] not in self._v.abbreviation
            and (second + 1 >= len(r) or r.gaps[second + 1] >= LINE or r.words[second + 1] == ".")
        )

    def _stamped(self, at: int) -> bool:
        """Whether a date or time of signing follows."""
        r = self._r
        after = at + 1
        return after < len(r) and r.shapes[after] == NUMBER and (
            len(r.words[after]) == 4 and r.shapes[at - 1] == MARK  # noqa: PLR2004 (1803)
        )
