"""What remains: capitalised words that are no words of the language are names of something.

In mixed-case text a capital in the middle of a sentence marks a name. Words at a beginning, and
lines in capitals, need a list to say so. Weak evidence: any other rule's type goes before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.reading import (
    BIT,
    BLANK,
    CAPITAL,
    GLUED,
    INITIAL,
    LINE,
    LOWER,
    MARK,
    NUMBER,
    UPPER,
    words,
)  # fmt: skip
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.taggers.reading import Reading, Vocabulary

PRIORITY = 30
PREP, STOP, GENERIC = BIT["prep"], BIT["stop"], BIT["generic"]
NEVER = (
    STOP | BIT["heading"] | GENERIC | BIT["credential"] | BIT["staff"] | BIT["demonym"] | BIT["brandish"]
    | BIT["facility"] | BIT["title"] | BIT["doctor"] | BIT["kin"] | BIT["patient"] | BIT["field"]
    | BIT["verb"] | BIT["by"] | BIT["street"]
)  # fmt: skip
_TECHNICAL = ("tion", "osis", "itis", "ectomy", "ostomy", "plasty", "oscopy", "gram", "ing", "ed")
_DENIALS = words("no not without few denies nor ser")
_UNITS = words("mg mcg ml units unit iu % bid tid qd od bd qid daily g cm mm")
_AT = frozenset(("at", "@"))
_PLACING_THE = frozenset(("at", "for", "from"))
_PLACING = frozenset(("in", "from", "near", "outside", "at", "@", "to", "of", "for"))


class Proper:
    """The rules for capitalised words without a cue."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary

    def find(self) -> Iterator[Span]:
        """Yield words that are names by their capital or by a list, with what belongs to them."""
        r = self._r
        eponyms = self._v.eponyms
        at = 0
        while at < len(r):
            if r.words[at] in eponyms.lengths:
                length = eponyms.longest(r.words, at)
                if length > 1:
                    at += length
                    continue
            if r.shapes[at] not in (CAPITAL, UPPER):
                at += 1
                continue
            last = self._run(at)
            yield from self._named(at, last)
            at = last

    def _run(self, at: int) -> int:
        """Where the run of capitalised words that begins at ``at`` ends."""
        r = self._r
        shape = r.shapes[at]
        at += 1
        while at < len(r):
            if r.words[at] in self._v.eponyms.lengths and (
                self._v.eponyms.longest(r.words, at) > 1
            ):
                break
            if (r.shapes[at] == CAPITAL and r.gaps[at] == BLANK and not r.cues[at] & STOP) or (r.shapes[at] == UPPER and r.gaps[at] == BLANK and shape != UPPER and (
                not r.shouted[at]
            )):
                at += 1
            elif at + 1 < len(r) and r.words[at] in ("-", "'", "&") and (
                r.gaps[at] == GLUED == r.gaps[at + 1]
                and (r.shapes[at + 1] in (CAPITAL, UPPER) or r.words[at + 1] == "s")
            ):
                at += 2
            else:
                break
        return at

    def _named(self, first: int, last: int) -> Iterator[Span]:
        r = self._r
        sure = [at for at in range(first, last) if self._sure(at)]
        if not sure:
            if self._title_case(first, last):
                yield self._span(first, last)
            return
        start, end = sure[0], sure[-1] + 1
        if r.shapes[first] == CAPITAL:
            while start > first and self._extends(start - 1):
                start -= 1
            while end < last and self._extends(end):
                end += 1
        yield self._span(start, end)

    def _extends(self, at: int) -> bool:
        """Whether a word beside a sure name belongs to it."""
        r, v = self._r, self._v
        if r.shapes[at] == MARK or r.words[at] == "s":
            return True
        if r.cues[at] & BIT["tail"]:
            return True
        if r.cues[at] & (NEVER & ~(GENERIC | BIT["heading"] | BIT["facility"] | BIT["street"])):
            return False
        if r.shapes[at] == UPPER:
            return bool(r.cues[at] & BIT["tail"])
        return r.words[at] not in v.medical and r.words[at] not in v.abbreviation and not (
            self._opens(at) and v.plain(r.words[at])
        )

    def _title_case(self, first: int, last: int) -> bool:
        """Whether two or more capitalised words in mid-sentence, none of medicine, are a name."""
        r, v = self._r, self._v
        if r.shapes[first] != CAPITAL or self._opens(first):
            return False
        if r.shapes[first:last].count(CAPITAL) < 2:  # noqa: PLR2004
            return False
        rare = 0
        for at in range(first, last):
            word = r.words[at]
            if r.shapes[at] == MARK or word == "s":
                continue
            if r.shapes[at] != CAPITAL or word in v.medical or word in v.abbreviation or (
                r.cues[at] & (NEVER & ~GENERIC)
            ):
                return False
            rare += v.ordinary.get(word, 0) <= 2 and not r.cues[at] & GENERIC  # noqa: PLR2004
        return rare > 0 and not self._eponymous(last - 1)

    def _sure(self, at: int) -> bool:
        r = self._r
        if r.shapes[at] == CAPITAL:
            return self._capital(at)
        return r.shapes[at] == UPPER and self._upper(at)

    def _capital(self, at: int) -> bool:
        r, v = self._r, self._v
        word = r.words[at]
        if len(word) < 3 or r.cues[at] & NEVER or r.shouted[at]:  # noqa: PLR2004
            return False
        if self._glued(at) or self._eponymous(at) or self._measured(at):
            return False
        if not v.plain(word):
            if not self._opens(at):
                return True
            if at + 1 < len(r) and r.words[at + 1] == ":":
                return False
            return word not in v.ordinary and (
                self._listed(word) or (len(word) > 3 and self._followed(at))  # noqa: PLR2004
            )
        return self._placed(at) or self._ambiguous(at)

    def _followed(self, at: int) -> bool:
        """Whether a verb of people or a possessive follows."""
        r = self._r
        after = at + 1
        return after < len(r) and (
            r.words[after] == "'" or bool(r.cues[after] & BIT["verb"])
        ) and not r.words[at].endswith(_TECHNICAL)

    def _ambiguous(self, at: int) -> bool:
        """Whether an ordinary word that is a common name has a capital in mid-sentence."""
        r, v = self._r, self._v
        word = r.words[at]
        return (
            not self._opens(at)
            and (v.given.get(word, 0) >= 8 or v.family.get(word, 0) >= 6)  # noqa: PLR2004
            and v.ordinary.get(word, 0) <= 6  # noqa: PLR2004
            and r.shapes[at - 1] == LOWER
            and word not in v.eponyms
        )

    def _measured(self, at: int) -> bool:
        """Whether a score or a dose follows, or a denial comes before: no person or place."""
        r, v = self._r, self._v
        if at and r.words[at - 1] in _DENIALS and r.gaps[at] == BLANK:
            return True
        after = at + 1
        if after + 1 >= len(r) or r.shapes[after] != NUMBER or r.gaps[after] != BLANK:
            return False
        further = r.words[after + 1]
        if further in _UNITS or (further in ".," and after + 2 < len(r) and (
            r.shapes[after + 2] == NUMBER and r.gaps[after + 2] == GLUED
        )):
            return True
        return len(r.words[after]) == 1 and v.given.get(r.words[at], 0) < 7  # noqa: PLR2004

    def _placed(self, at: int) -> bool:
        """Whether a preposition of place makes a name of an ordinary word."""
        r = self._r
        before = at - 1
        if before > 0 and r.words[before] == "the" and r.words[before - 1] in _PLACING_THE:
            before -= 1
        return (
            before >= 0
            and r.gaps[at] == BLANK
            and r.words[before] in _PLACING
            and r.shapes[before] in (LOWER, MARK)
            and r.words[at] not in self._v.medical
            and r.words[at] not in self._v.eponym
            and r.words[at] not in self._v.abbreviation
            and r.words[before] != "of"
            and (r.words[before] != "for" or before < at - 1)
        )

    def _upper(self, at: int) -> bool:
        r, v = self._r, self._v
        word = r.words[at]
        if r.cues[at] & NEVER or v.plain(word):
            return False
        if r.words[at - 1] in _AT and at and not r.shouted[at] and r.gaps[at] == BLANK:
            return len(word) > 2 or r.words[at - 1] == "@"  # noqa: PLR2004
        if len(word) < 4 or word in v.ordinary:  # noqa: PLR2004
            return False
        if self._glued(at) or self._eponymous(at):
            return False
        strength = max(v.given.get(word, 0), v.family.get(word, 0))
        if r.shouted[at]:
            return strength >= 2 or v.city.strengths.get(word, 0) >= 13  # noqa: PLR2004
        return strength >= 3 and len(word) > 4  # noqa: PLR2004

    def _listed(self, word: str) -> bool:
        v = self._v
        return v.given.get(word, 0) >= 1 or v.family.get(word, 0) >= 1 or word in v.city.strengths

    def _opens(self, at: int) -> bool:
        """Whether a capital is due to place: a beginning of line, sentence, item or value."""
        r = self._r
        if at == 0 or r.gaps[at] >= LINE:
            return True
        return r.shapes[at - 1] == MARK and r.words[at - 1] in '.:;?!*>•"-|/='

    def _glued(self, at: int) -> bool:
        r = self._r
        before = at > 0 and r.gaps[at] == GLUED and (
            (r.shapes[at - 1] in (NUMBER, INITIAL) and not self._v.named(r.words[at]))
            or (r.shapes[at - 1] == UPPER and len(r.words[at]) < 5)  # noqa: PLR2004
        )
        after = at + 1 < len(r) and r.gaps[at + 1] == GLUED and (
            r.shapes[at + 1] in (NUMBER, INITIAL)
        )
        return before or after

    def _eponymous(self, at: int) -> bool:
        """Whether a word of disease, sign or device follows that the name belongs to."""
        r = self._r
        after = at + 1
        if after < len(r) and r.words[after] == "'" and r.gaps[after] == GLUED:
            if r.words[at] in self._v.eponyms:
                return True
            after += 1 + (after + 1 < len(r) and r.words[after + 1] == "s")
        while after + 1 < len(r) and r.words[after] == "-" and r.gaps[after] == GLUED:
            if r.words[after + 1] in self._v.eponym:
                return True
            after += 2
        if at > 1 and r.words[at - 1] == "-" and r.gaps[at] == GLUED and (
            r.words[at - 2] in self._v.eponym
        ):
            return True
        if after < len(r) and r.words[after] == "+" and r.gaps[after] <= BLANK:
            return after + 1 >= len(r) or r.gaps[after + 1] >= LINE or r.shapes[after + 1] == MARK
        return after < len(r) and r.gaps[after] < LINE and bool(r.cues[after] & BIT["eponymic"])

    def _span(self, first: int, last: int) -> Span:
        r = self._r
        label = self._label(first, last)
        while r.words[last - 1] in ("s", "'") and label in (Label.PATIENT, Label.CITY):
            last -= 1
        return Span(
            r.starts[first], r.ends[last - 1], label, "names.capital", 0.6, PRIORITY
        )

    def _label(self, first: int, last: int) -> Label:
        r, v = self._r, self._v
        before = r.words[first - 1] if first else ""
        word = r.words[first]
        if any(r.cues[at] & (BIT["facility"] | BIT["centre"]) for at in range(first, last)):
            return Label.HOSPITAL
        if before in _AT:
            return Label.ORGANIZATION
        if before in _PLACING and word in v.city.strengths:
            return Label.CITY
        if v.named(word) or before not in _PLACING:
            return Label.PATIENT
        return Label.CITY
