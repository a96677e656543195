"""Decision whether a capital marks a name, or is due to position, an eponym or an abbreviation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.english.vocabulary import BIT
from adapter.taggers.english.words import (  # fmt: skip
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
)

if TYPE_CHECKING:
    from adapter.taggers.english.vocabulary import Vocabulary
    from adapter.taggers.english.words import Reading

NEVER = sum(
    BIT[name]
    for name in words(
        "stop heading generic credential staff demonym brandish facility title doctor kin patient "
        "field verb by street"
    )
)
"""Classes of words that are not names by their capital alone."""
SHORTEST, SHORTEST_SHOUTED, SHORTEST_MIXED = 3, 4, 5
"""Minimum number of letters in a name: Abc, ABCD in a line of capitals, ABCDE in mixed case."""
COMMON_GIVEN, COMMON_FAMILY, FREQUENT = 7, 5, 8
"""Minimum strengths of given and family names that are also words; maximum strength of the word."""
LISTED, BIG = 1, 13
"""Minimum strengths of a name, and of a town (8,192 people), in a line of capitals."""
SCORED = 7
"""Minimum strength of a given name before a digit; with less, the digit is a score."""

AT = words("at @")
PLACING = words("in from near outside at @ to for")
_TOWARDS = words("from to via")
_BEFORE_THE = words("at for from")
_DATE_MARKS = frozenset(("/", "-", ":"))
_COORDINATES = words("and or / & vs")
_DENIALS = words("no not without few denies nor ser")
_UNITS = words("mg mcg ml units unit iu % bid tid qd od bd qid daily g cm mm")
_TECHNICAL = ("tion", "osis", "itis", "ectomy", "ostomy", "plasty", "oscopy", "gram", "ing", "ed")
_OPENERS = '.:;?!*>•"-|/='


class Capitals:
    """Judges single capitalised words of one reading."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary

    def sure(self, at: int) -> bool:
        """Whether the capitalised word at ``at`` is a name by itself."""
        r = self._r
        if r.cues[at] & NEVER or self._glued(at):
            return False
        shape = r.shapes[at]
        named = self._capital(at) if shape == CAPITAL else shape == UPPER and self._upper(at)
        return named and not self.eponymous(at)

    def opens(self, at: int) -> bool:
        """Whether a capital is due to position: the start of a line, sentence, item or value."""
        r = self._r
        if at == 0 or r.gaps[at] >= LINE:
            return True
        return r.shapes[at - 1] == MARK and r.words[at - 1] in _OPENERS

    def eponymous(self, at: int) -> bool:
        """Whether the word belongs to a disease, sign, test or device named beside it."""
        r, known = self._r, self._v.eponyms
        after = at + 1
        if r.words[after : after + 1] == ["'"] and r.gaps[after] == GLUED:
            if r.words[at] in known:
                return True
            after += 1 + (r.words[after + 1 : after + 2] == ["s"])
        while after + 1 < len(r) and r.words[after] == "-" and r.gaps[after] == GLUED:
            if r.words[after + 1] in self._v.eponym:
                return True
            after += 2
        if at > 1 and r.words[at - 1] == "-" and r.words[at - 2] in self._v.eponym:
            return True
        return (
            after < len(r) and r.gaps[after] < LINE and self._eponymic(after)
        ) or self._beside_eponym(at)

    def _beside_eponym(self, at: int) -> bool:
        """Whether "and", "or" or a slash joins the word to an eponym that is rarely a name."""
        r, v = self._r, self._v
        if r.words[at] not in v.eponyms:
            return False
        return (
            r.words[at + 1 : at + 2]
            and r.words[at + 1] in _COORDINATES
            and (at + 2 < len(r) and r.words[at + 2] in v.eponym)
        ) or (at > 1 and r.words[at - 1] in _COORDINATES and r.words[at - 2] in v.eponym)

    def _eponymic(self, after: int) -> bool:
        r = self._r
        if r.words[after] == "+" and r.gaps[after] <= BLANK:
            further = after + 1
            return further >= len(r) or r.gaps[further] >= LINE or r.shapes[further] == MARK
        return bool(r.cues[after] & BIT["eponymic"])

    def _glued(self, at: int) -> bool:
        """Whether the word is part of a code or of a word of mixed case."""
        r = self._r
        if at and r.gaps[at] == GLUED:
            before = r.shapes[at - 1]
            if before in (NUMBER, INITIAL) and not self._v.named(r.words[at]):
                return True
            if before == UPPER and len(r.words[at]) < SHORTEST_MIXED:
                return True
        after = at + 1
        return after < len(r) and r.gaps[after] == GLUED and r.shapes[after] in (NUMBER, INITIAL)

    def _capital(self, at: int) -> bool:
        r, v = self._r, self._v
        word = r.words[at]
        if len(word) < SHORTEST or r.shouted[at] or self._measured(at):
            return False
        if v.plain(word):
            return self._placed(at) or self._ambiguous(at)
        if not self.opens(at):
            return True
        if word in v.ordinary or r.words[at + 1 : at + 2] == [":"]:
            return False
        return self._listed(word) or self._acts(at)

    def _listed(self, word: str) -> bool:
        v = self._v
        return v.given.get(word, 0) > 0 or v.family.get(word, 0) > 0 or word in v.city

    def _acts(self, at: int) -> bool:
        """Whether a verb of people or a possessive follows."""
        r = self._r
        after = at + 1
        return (
            len(r.words[at]) > SHORTEST
            and after < len(r)
            and (r.words[after] == "'" or bool(r.cues[after] & BIT["verb"]))
            and not r.words[at].endswith(_TECHNICAL)
        )

    def _measured(self, at: int) -> bool:
        """Whether a score or a dose follows, or a negation precedes: no person or place."""
        r, v = self._r, self._v
        if (
            at
            and r.gaps[at] == BLANK
            and (r.words[at - 1] in _DENIALS or r.words[max(0, at - 2) : at] == ["ser", "."])
        ):
            return True
        after = at + 1
        if after + 1 >= len(r) or r.shapes[after] != NUMBER or r.gaps[after] != BLANK:
            return False
        if r.words[at] in v.eponyms and (
            r.gaps[after + 1] != GLUED or r.words[after + 1] not in _DATE_MARKS
        ):
            return True  # a score: "Fisher 3, Morse 65"
        decimal = (
            r.words[after + 1] in (".", ",")
            and after + 2 < len(r)
            and r.shapes[after + 2] == NUMBER
            and r.gaps[after + 2] == GLUED
        )
        digit = len(r.words[after]) == 1 and v.given.get(r.words[at], 0) < SCORED
        return decimal or digit or r.words[after + 1] in _UNITS

    def _placed(self, at: int) -> bool:
        """Whether a preposition of place makes an ordinary word a name."""
        r, v = self._r, self._v
        before = at - 1
        the = before > 0 and r.words[before] == "the" and r.words[before - 1] in _BEFORE_THE
        before -= the
        word = r.words[at]
        return (
            before >= 0
            and r.gaps[at] == BLANK
            and r.words[before] in PLACING
            and (the or r.words[before] != "for")
            and r.shapes[before] in (LOWER, MARK)
            and word not in v.medical
            and word not in v.eponym
            and word not in v.abbreviation
        )

    def _ambiguous(self, at: int) -> bool:
        """Whether an ordinary word that is a common name is capitalised in mid-sentence."""
        r, v = self._r, self._v
        word = r.words[at]
        return (
            not self.opens(at)
            and (r.shapes[at - 1] == LOWER or r.words[at - 1] in ",(")
            and (v.given.get(word, 0) >= COMMON_GIVEN or v.family.get(word, 0) >= COMMON_FAMILY)
            and v.ordinary.get(word, 0) <= FREQUENT
            and word not in v.eponyms
        )

    def _upper(self, at: int) -> bool:
        r, v = self._r, self._v
        word, shouted = r.words[at], r.shouted[at]
        if v.plain(word):
            return False
        if at and not shouted and r.words[at - 1] in AT and r.gaps[at] == BLANK:
            return len(word) >= SHORTEST or r.words[at - 1] == "@"
        if at and not shouted and self._acronym(at):
            return True
        if word in v.ordinary:
            return False
        strength = max(v.given.get(word, 0), v.family.get(word, 0))
        if shouted:
            return len(word) >= SHORTEST_SHOUTED and (
                strength >= LISTED or v.city.strengths.get(word, 0) >= BIG
            )
        return len(word) >= SHORTEST_MIXED and strength >= LISTED

    def _acronym(self, at: int) -> bool:
        """Whether an acronym that is unusual in notes stands where an organisation would."""
        r, v = self._r, self._v
        before = at - 1
        word = r.words[at]
        if r.words[before] == "the":
            before -= 1
        return (
            SHORTEST <= len(word) <= SHORTEST_MIXED
            and before >= 0
            and r.gaps[at] == BLANK
            and r.words[before] in _TOWARDS
            and word not in v.ordinary
        )
