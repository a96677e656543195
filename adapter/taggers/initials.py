"""Initials of those who signed: at the end of a text, of a line, before a typist's initials.

"-- jtm", "EG/ml", "Rounds done. KA", "5/16 TF".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.reading import GLUED, LINE, LOWER, MARK, NUMBER, UPPER, WIDE, words
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.taggers.reading import Reading
    from adapter.taggers.vocabulary import Vocabulary

PRIORITY = 50
SHORTEST, LONGEST = 2, 3
CLOCK = 4
"""Letters of initials; digits of a time of day."""
_THANKS = words("thx thanks ty")


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
        r = self._r
        if self._known_word(at):
            return False
        ends = at + 1 >= len(r) or r.gaps[at + 1] == LINE
        typist = self._typist(at)
        if not (ends or typist or self._stamped(at)):
            return False
        if at == 0 or r.gaps[at] == LINE:
            last = at + 1 >= len(r)
            return at > 0 and (typist or last or r.shapes[at] == UPPER)
        if r.shapes[at - 1] == MARK:
            return self._after_mark(at)
        return r.shapes[at] == UPPER and self._after_word(at, ends=ends, typist=typist)

    def _after_word(self, at: int, *, ends: bool, typist: bool) -> bool:
        """Whether thanks, a time or a wide gap before makes a signature of the initials."""
        r = self._r
        timed = r.shapes[at - 1] == NUMBER and len(r.words[at - 1]) == CLOCK
        return (timed and typist) or (
            ends and (timed or r.words[at - 1] in _THANKS or r.gaps[at] == WIDE)
        )

    def _known_word(self, at: int) -> bool:
        r, v = self._r, self._v
        word = r.words[at]
        last = at + 1 >= len(r) and r.shapes[at] == UPPER
        return bool(
            (word in v.abbreviation and not last)
            or r.cues[at]
            or (word in v.state and not last)
            or (r.shapes[at] == LOWER and word in v.ordinary)
        )

    def _after_mark(self, at: int) -> bool:
        """Whether the mark before ends a sentence or parts the signature from the text."""
        r = self._r
        before = r.words[at - 1]
        if before == "/" and r.gaps[at] == GLUED and r.shapes[at] == LOWER:
            return at > 1 and r.shapes[at - 2] not in (UPPER, LOWER)
        if before == "-":
            return r.gaps[at - 1] != GLUED or r.words[at - 2] == "-"
        return before in ".!?)/"

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
            and (r.gaps[at] == LINE or r.words[second] not in self._v.abbreviation)
            and (second + 1 >= len(r) or r.gaps[second + 1] >= LINE or r.words[second + 1] == ".")
        )

    def _stamped(self, at: int) -> bool:
        """Whether a date or time of signing follows."""
        r = self._r
        after = at + 1
        return after < len(r) and r.shapes[after] == NUMBER and (
            len(r.words[after]) == CLOCK and r.shapes[at - 1] == MARK
        )
