"""What remains: capitalised words that are no words of the language are names of something.

In mixed-case text a capital in the middle of a sentence marks a name. Words at a beginning, and
lines in capitals, need a list to say so. Weak evidence: any other rule's type goes before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.reading import (
    BIT, BLANK, CAPITAL, GLUED, INITIAL, LINE, LOWER, MARK, NUMBER, UPPER,
)  # fmt: skip
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.taggers.reading import Reading, Vocabulary

PRIORITY = 30
PREP, STOP, GENERIC = BIT["prep"], BIT["stop"], BIT["generic"]
NEVER = (
    STOP | GENERIC | BIT["credential"] | BIT["staff"] | BIT["demonym"] | BIT["brandish"]
    | BIT["facility"] | BIT["title"] | BIT["doctor"] | BIT["kin"] | BIT["patient"] | BIT["field"]
    | BIT["verb"] | BIT["by"] | BIT["street"]
)  # fmt: skip
_AT = frozenset(("at", "@"))
_PLACING = frozenset(("in", "from", "near", "outside", "at", "@", "to", "of"))


class Proper:
    """The rules for capitalised words without a cue."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary

    def find(self) -> Iterator[Span]:
        """Yield words that are names by their capital or by a list."""
        r = self._r
        for at, shape in enumerate(r.shapes):
            if shape == CAPITAL:
                if self._capital(at):
                    yield self._span(at)
            elif shape == UPPER:
                if self._upper(at):
                    yield self._span(at)

    def _capital(self, at: int) -> bool:
        r, v = self._r, self._v
        word = r.words[at]
        if len(word) < 3 or r.cues[at] & NEVER or r.shouted[at]:  # noqa: PLR2004
            return False
        if self._glued(at) or self._eponymous(at):
            return False
        if not v.plain(word):
            return not self._opens(at) or self._listed(word)
        return self._placed(at)

    def _placed(self, at: int) -> bool:
        """Whether a preposition of place makes a name of an ordinary word."""
        r = self._r
        return (
            at > 0
            and r.gaps[at] == BLANK
            and r.words[at - 1] in _PLACING
            and r.shapes[at - 1] in (LOWER, MARK)
            and r.words[at] not in self._v.medical
            and r.words[at] not in self._v.eponym
            and r.words[at - 1] != "of"
        )

    def _upper(self, at: int) -> bool:
        r, v = self._r, self._v
        word = r.words[at]
        if len(word) < 4 or r.cues[at] & NEVER or v.plain(word):  # noqa: PLR2004
            return False
        if self._glued(at) or self._eponymous(at):
            return False
        strength = max(v.given.get(word, 0), v.family.get(word, 0))
        if r.shouted[at]:
            return strength >= 2 or v.city.strengths.get(word, 0) >= 13  # noqa: PLR2004
        return strength >= 3  # noqa: PLR2004

    def _listed(self, word: str) -> bool:
        v = self._v
        return v.given.get(word, 0) >= 1 or v.family.get(word, 0) >= 1 or word in v.city.strengths

    def _opens(self, at: int) -> bool:
        """Whether a capital is due to place: a beginning of line, sentence, item or value."""
        r = self._r
        if at == 0 or r.gaps[at] >= LINE:
            return True
        return r.shapes[at - 1] == MARK and r.words[at - 1] in ".:;?!*>•\"-|/="

    def _glued(self, at: int) -> bool:
        r = self._r
        before = at > 0 and r.gaps[at] == GLUED and r.shapes[at - 1] in (NUMBER, INITIAL)
        after = at + 1 < len(r) and r.gaps[at + 1] == GLUED and (
            r.shapes[at + 1] in (NUMBER, INITIAL)
        )
        return before or after

    def _eponymous(self, at: int) -> bool:
        """Whether a word of disease, sign or device follows that the name belongs to."""
        r = self._r
        after = at + 1
        if after + 1 < len(r) and r.words[after] == "'" and r.words[after + 1] == "s":
            after += 2
        while after + 1 < len(r) and r.words[after] == "-" and r.gaps[after] == GLUED:
            after += 2
        return after < len(r) and r.gaps[after] < LINE and bool(r.cues[after] & BIT["eponymic"])

    def _span(self, at: int) -> Span:
        r = self._r
        return Span(r.starts[at], r.ends[at], self._label(at), "names.capital", 0.6, PRIORITY)

    def _label(self, at: int) -> Label:
        r, v = self._r, self._v
        word, before = r.words[at], r.words[at - 1] if at else ""
        if before in _AT:
            return Label.ORGANIZATION
        if before in _PLACING and word in v.city.strengths:
            return Label.CITY
        if v.named(word) or before not in _PLACING:
            return Label.PATIENT
        return Label.CITY
