"""Hospitals, organisations and named places by the head word of their name.

"Two Harbors Family Clinic": from the head ("Clinic") the name extends left over capitalised words
and connectives; at least one of them must be more than a kind of facility (unlike "Pain Clinic").
"University of Ibadan": some heads have the rest of the name on their right.
"""

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
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.taggers.english.vocabulary import Vocabulary
    from adapter.taggers.english.words import Reading

PRIORITY = 60
LONGEST = 9
"""Maximum number of words in a name on either side of its head."""

FACILITY, CENTRE, ORG, PLACE = BIT["facility"], BIT["centre"], BIT["org"], BIT["place"]
GENERIC, STOP, PREP, SURE = BIT["generic"], BIT["stop"], BIT["prep"], BIT["surehead"]
CREDENTIAL = BIT["credential"]
HEADS = FACILITY | CENTRE | ORG | PLACE
KINDS = STOP | GENERIC | BIT["heading"]
"""Words that name a kind of facility, not a particular one."""
ENDS = (
    STOP | PREP | BIT["verb"] | BIT["kin"] | BIT["patient"] | BIT["doctor"] | BIT["by"]
    | BIT["field"] | BIT["credential"] | BIT["staff"]
)  # fmt: skip
FREQUENT, RARE = 7, 3
"""Minimum strength of words too frequent for names in capitals; maximum strength of rare words."""
TECHNICAL = 2
"""Minimum strength of medical words from ICD-10-CM rather than from long lists."""

_INNER = words("of the and & de la del y du des")
_RIGHT = words("of for at")
_FIRST = words("hospital hosp clinica lake mount mt fort ft camp port cape bay gulf parish county")
_SURE_FIRST = words("lake mount mt fort camp port cape hosp")
_LEADING = words("the a an our your his her their my this that and & of")
_VISITING = words("visiting nurse nurses")
_PUBLIC = words("city general county community memorial university regional state mercy methodist")
_CARE = words("medical health care healthcare nursing surgical cancer heart kidney eye skin")
_SHORT_PARTS = words("st mt ft u s n e w")


class Organisations:
    """The head-word rules over one reading."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary

    def find(self) -> Iterator[Span]:
        """Yield organisations and places found by a head word."""
        r = self._r
        done = 0
        for at, cues in enumerate(r.cues):
            if at < done or not cues & HEADS or r.shapes[at] not in (CAPITAL, UPPER):
                continue
            if at and r.gaps[at] == GLUED and r.shapes[at - 1] in (LOWER, CAPITAL, UPPER):
                continue
            first, end = self._left(at), self.right(at)
            if self._is_name(first, at, end):
                done = end
                yield self._span(first, end)

    def _left(self, head: int) -> int:
        """Return the start of the name with this head word."""
        r = self._r
        first = at = head
        while at > 0 and head - at < LONGEST and r.gaps[at] <= BLANK:
            at -= 1
            if not self._belongs(at):
                break
            if r.shapes[at] in (CAPITAL, UPPER, NUMBER) or (
                r.shapes[at] == INITIAL and r.words[at] != "i"
            ):
                first = at
        while first < head and (r.words[first] in _LEADING or r.shapes[first] == MARK):
            first += 1
        return self._line_start(first) if first < head and r.shouted[head] else first

    def _line_start(self, first: int) -> int:
        """Return the start of an all-capitals line with only words of a name before ``first``."""
        r = self._r
        at = first
        while at > 0 and first - at < RARE and r.gaps[at] == BLANK:
            at -= 1
            if r.shapes[at] != UPPER or r.cues[at] & ENDS:
                return first
        return at if r.gaps[at] >= LINE else first

    def _belongs(self, at: int) -> bool:
        """Whether the word at ``at`` can be part of a name, left of its head."""
        r = self._r
        shape, word = r.shapes[at], r.words[at]
        if word in _INNER or (word == "s" and r.words[at - 1] == "'" and r.gaps[at] == GLUED):
            return True
        if shape == MARK:
            return self._inner_mark(at)
        if shape in (LOWER, NUMBER):
            return shape == NUMBER and r.gaps[at + 1] == GLUED
        return word == "st" or self._inner_word(at)

    def _inner_mark(self, at: int) -> bool:
        r = self._r
        if r.words[at] == ".":
            return r.words[at - 1] in _SHORT_PARTS or r.shapes[at - 1] == INITIAL
        return r.words[at] in "'-" and r.gaps[at] == GLUED

    def _inner_word(self, at: int) -> bool:
        r = self._r
        word, cues = r.words[at], r.cues[at]
        if cues & STOP:
            return r.shapes[at] == CAPITAL and word in ("may", "march", "will")
        if cues & (GENERIC | HEADS) or word in _VISITING:
            return True
        if cues & CREDENTIAL and r.shapes[at] == UPPER and r.cues[at + 1] & HEADS:
            return True  # "MB Church"
        if cues & ENDS or (r.shapes[at] == UPPER and len(word) == 1):
            return False
        return not r.shouted[at] or self._v.ordinary.get(word, 0) < FREQUENT

    def right(self, head: int) -> int:
        """Return the end of the name with this head word."""
        end = head + 1
        while end < len(self._r) and end - head < LONGEST and self._r.gaps[end] <= BLANK:
            step = self._step(end, head)
            if not step:
                break
            end += step
        return end

    def _step(self, at: int, head: int) -> int:
        """Return the number of words at ``at`` that continue the name to the right of its head."""
        r = self._r
        if r.shapes[at] == r.shapes[head] and r.cues[at] & (HEADS | GENERIC):
            return 1
        if r.words[at] in ("&", "and") and self.upper(at + 1):
            return 2 if r.cues[at + 1] & (HEADS | GENERIC) else 0
        if r.words[head] in _FIRST and at <= head + 2:
            if r.words[at] == "." and at == head + 1 and self.upper(at + 1):
                return 1
            if self.upper(at) and (r.words[head] in _SURE_FIRST or not self._v.plain(r.words[at])):
                return self.capitals(at) - at
        if r.words[at] in _RIGHT and (r.shapes[at] == LOWER or r.shouted[at]):
            further = at + 1 + (r.words[at + 1 : at + 2] == ["the"])
            if self.upper(further) and (r.words[at] == "of" or not self._v.plain(r.words[further])):
                end = self.capitals(further)
                return end - at if end > further else 0
        return 0

    def capitals(self, at: int) -> int:
        """Return the end of the run of capitalised words at ``at`` that may belong to a name."""
        while self.upper(at) and not self._r.cues[at] & ENDS:
            at += 1
        return at

    def upper(self, at: int) -> bool:
        """Whether a capitalised word is at ``at``, after at most a blank."""
        r = self._r
        return at < len(r) and r.shapes[at] in (CAPITAL, UPPER) and r.gaps[at] <= BLANK

    def _is_name(self, first: int, head: int, end: int) -> bool:
        """Whether the words ``first`` to ``end`` name one organisation rather than a kind of it."""
        r, v = self._r, self._v
        if first == head and r.words[end : end + 1] == [":"]:
            return False
        if " ".join(r.words[first:head]) in v.city or self._letterhead(first, end):
            return True
        if r.words[head] in _FIRST and end > head + 1 and r.shapes[end - 1] == CAPITAL:
            return True
        if self._public(first, head):
            return True
        sure = any(cues & SURE for cues in r.cues[head:end]) or (
            "of" in r.words[head:end] and not r.shouted[head]
        )
        return any(self._tells(at, at < end - 1, sure=sure) for at in range(first, end))

    def _public(self, first: int, head: int) -> bool:
        """Whether "City Hospital" or the like is used as a place: "seen at ..."."""
        r = self._r
        return (
            0 < first < head
            and r.words[first] in _PUBLIC
            and r.shapes[first] == r.shapes[head] == CAPITAL
            and r.gaps[first] == BLANK
            and bool(r.cues[first - 1] & PREP)
            and bool(r.cues[head] & FACILITY)
        )

    def _tells(self, at: int, inside: bool, *, sure: bool) -> bool:  # noqa: FBT001 (position)
        """Whether the word at ``at`` distinguishes one organisation from others."""
        r, v = self._r, self._v
        shape, word, cues = r.shapes[at], r.words[at], r.cues[at]
        if shape not in (CAPITAL, UPPER) or word == "s" or cues & KINDS:
            return False
        if cues & HEADS:
            return sure and inside and bool(cues & PLACE)
        if cues & BIT["demonym"]:
            return sure
        if shape == UPPER and not r.shouted[at]:
            return sure and inside and word not in v.abbreviation
        if not v.plain(word) and (v.named(word) or word in v.city or not r.shouted[at]):
            return True
        return sure and v.medical.get(word, 0) < TECHNICAL

    def _letterhead(self, first: int, end: int) -> bool:
        """Whether a whole line is a title-case name with a word that is rare in notes."""
        r, v = self._r, self._v
        whole = r.gaps[first] == LINE and (end >= len(r) or r.gaps[end] == LINE)
        return (
            whole
            and not r.shouted[first]
            and r.shapes[first:end].count(CAPITAL) >= RARE
            and any(
                r.shapes[at] == CAPITAL
                and v.ordinary.get(r.words[at], 0) <= RARE
                and r.words[at] not in v.medical
                and not r.cues[at] & (KINDS | HEADS)
                for at in range(first, end)
            )
        )

    def _span(self, first: int, end: int) -> Span:
        r = self._r
        cues = r.cues[first:end]
        label = Label.LOCATION_OTHER
        if any(c & FACILITY for c in cues) or not _CARE.isdisjoint(r.words[first:end]):
            label = Label.HOSPITAL
        elif any(c & (ORG | CENTRE) for c in cues):
            label = Label.ORGANIZATION
        return Span(r.starts[first], r.ends[end - 1], label, "organisations.head", 0.9, PRIORITY)
