"""Hospitals, organisations and named places by the head word of their name.

"Two Harbors Family Clinic": from the head ("Clinic") the name runs left over capitalised words and
connectives; at least one of them must be more than a kind of facility ("Pain Clinic" is none).
"University of Ibadan": some heads take the rest of the name on their right.
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

PRIORITY = 60
LONGEST = 9
"""Words a name may have on either side of its head."""

FACILITY, CENTRE, ORG, PLACE = BIT["facility"], BIT["centre"], BIT["org"], BIT["place"]
GENERIC, STOP, PREP, SURE = BIT["generic"], BIT["stop"], BIT["prep"], BIT["surehead"]
HEADS = FACILITY | CENTRE | ORG | PLACE
ENDS = (
    BIT["verb"] | BIT["kin"] | BIT["patient"] | BIT["doctor"] | BIT["by"] | BIT["field"]
    | BIT["credential"] | BIT["staff"] | STOP | PREP
)  # fmt: skip
_INNER = words("of the and & de la del y du des")
_RIGHT = words("of for at")
_FIRST = words("hospital hosp clinica lake mount mt fort ft camp port cape bay camp gulf parish county")
_SURE_FIRST = words("lake mount mt fort camp port cape")
_OF_HEADS = words("city town village port lady state province bank")
_SAINTS = frozenset(("st", "saint", "ste", "sta", "san", "santa"))
_DEVICES = frozenset(("jude", "elevation", "elev", "depression", "segment", "changes"))
_LEADING = words("the a an our your his her their my this that and & of")


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
            if at < done or r.shapes[at] not in (CAPITAL, UPPER):
                continue
            if r.words[at] in _SAINTS:
                end = self._saint(at)
                if end:
                    done = end
                    yield self._span(at, end, Label.HOSPITAL)
                    continue
            if r.words[at] in _OF_HEADS and r.words[at + 1 : at + 2] == ["of"]:
                end = self._right(at)
                if end > at + 1:
                    done = end
                    first = at - (at > 0 and r.words[at - 1] == "our")
                    yield self._span(first, end, Label.ORGANIZATION)
                    continue
            if cues & HEADS and not (r.gaps[at] == GLUED and r.shapes[at - 1] <= UPPER and at):
                end = self._right(at)
                first = self._left(at)
                if self._is_name(first, at, end):
                    done = end
                    yield self._span(first, end, self._label(first, end))

    def _saint(self, at: int) -> int:
        """Where "St. Anselm's" and the like end; 0 where a street or an eponym is meant."""
        r = self._r
        name = at + 1 + (at + 1 < len(r) and r.words[at + 1] == ".")
        if not self._upper(name) or (r.shapes[name] != r.shapes[at] and r.shapes[at] != CAPITAL):
            return 0
        if at and r.gaps[at] == BLANK and r.shapes[at - 1] == CAPITAL and (
            not r.cues[at - 1] & (PREP | STOP) or r.words[at] == "saint"
        ) and name > at + 1:
            return 0
        if (self._v.plain(r.words[name]) and not self._v.common_name(r.words[name])) or (
            r.words[name] in _DEVICES
        ):
            return 0
        end = name + 1
        while self._upper(end) and not r.cues[end] & (ENDS | BIT["eponymic"]):
            end += 1
        if end + 1 < len(r) and r.words[end] == "'" and r.words[end + 1] == "s":
            end += 2
            while self._upper(end) and not r.cues[end] & ENDS:
                end += 1
        if end < len(r) and r.cues[end] & BIT["eponymic"] and r.gaps[end] == BLANK:
            return 0
        return end

    def _left(self, head: int) -> int:
        r = self._r
        first = at = head
        while at > 0 and head - at < LONGEST and r.gaps[at] <= BLANK:
            at -= 1
            if not self._belongs(at):
                break
            if r.shapes[at] in (CAPITAL, UPPER) or (
                r.shapes[at] == NUMBER and r.gaps[at + 1] == GLUED
            ) or (r.shapes[at] == INITIAL and r.words[at] != "i"):
                first = at
        while first < head and (r.words[first] in _LEADING or r.shapes[first] == MARK):
            first += 1
        return self._line_start(first) if first < head and r.shouted[head] else first

    def _line_start(self, first: int) -> int:
        """The start of a line in capitals that up to first holds nothing but words of a name."""
        r = self._r
        at = first
        while at > 0 and first - at < 3 and r.gaps[at] == BLANK:  # noqa: PLR2004
            at -= 1
            if r.shapes[at] != UPPER or r.cues[at] & ENDS:
                return first
        return at if r.gaps[at] >= LINE else first

    def _belongs(self, at: int) -> bool:
        r = self._r
        shape, word, cues = r.shapes[at], r.words[at], r.cues[at]
        if word == "s" and r.words[at - 1] == "'" and r.gaps[at] == GLUED:
            return True
        if shape == LOWER:
            return word in _INNER
        if shape == MARK:
            if word == ".":
                return r.words[at - 1] in ("st", "mt", "ft", "u", "s", "n", "e", "w") or (
                    r.shapes[at - 1] == INITIAL
                )
            return word in "'-&" and (word == "&" or r.gaps[at] == GLUED)
        if shape == NUMBER:
            return r.gaps[at + 1] == GLUED
        if word in _INNER or word == "st":
            return True
        if cues & STOP:
            return word in ("may", "march", "will") and shape == CAPITAL
        if cues & (GENERIC | HEADS):
            return True
        if cues & ENDS:
            return False
        if shape == UPPER and not r.shouted[at]:
            return len(word) > 1
        if r.shouted[at]:
            return self._v.ordinary.get(word, 0) < 7  # noqa: PLR2004 (frequent in notes)
        return True

    def _right(self, head: int) -> int:
        r = self._r
        end = head + 1
        while end < len(r) and r.gaps[end] <= BLANK and end - head < LONGEST:
            step = self._step(end, head)
            if not step:
                break
            end += step
        return end

    def _step(self, at: int, head: int) -> int:
        """How many words at ``at`` go on the name to the right of its head."""
        r = self._r
        if r.shapes[at] in (CAPITAL, UPPER) and r.cues[at] & (HEADS | GENERIC) and (
            r.shapes[at] == r.shapes[head]
        ):
            return 1
        if r.words[at] in ("&", "and") and self._upper(at + 1) and r.cues[at + 1] & (
            HEADS | GENERIC
        ):
            return 2
        if at == head + 1 and r.words[head] in _FIRST and self._upper(at) and (
            not r.cues[at] & ENDS and (not self._v.plain(r.words[at]) or r.words[head] in _SURE_FIRST)
        ):
            further = at + 1
            while self._upper(further) and not r.cues[further] & ENDS:
                further += 1
            return further - at
        if at == head + 1 and r.words[at] == "." and self._upper(at + 1) and (
            r.words[head] in _FIRST
        ):
            return 1
        if r.words[at] in _RIGHT and (r.shapes[at] == LOWER or r.shouted[at]):
            further = at + 1
            if further < len(r) and r.words[further] == "the":
                further += 1
            if self._upper(further) and not r.cues[further] & ENDS and (
                r.words[at] == "of" or not self._v.plain(r.words[further])
            ):
                further += 1
                while self._upper(further) and not r.cues[further] & ENDS:
                    further += 1
                return further - at
        return 0

    def _upper(self, at: int) -> bool:
        r = self._r
        return at < len(r) and r.shapes[at] in (CAPITAL, UPPER) and r.gaps[at] <= BLANK

    def _is_name(self, first: int, head: int, end: int) -> bool:
        r, v = self._r, self._v
        sure = any(r.cues[at] & SURE for at in range(head, end)) or (
            "of" in r.words[head:end] and not r.shouted[head]
        )
        if end < len(r) and r.words[end] == ":" and first == head:
            return False
        if " ".join(r.words[first:head]) in v.city.strengths:
            return True
        if self._letterhead(first, end):
            return True
        if r.words[head] in _FIRST and end > head + 1 and r.shapes[end - 1] == CAPITAL:
            return True
        for at in range(first, end):
            cues = r.cues[at]
            if r.shapes[at] not in (CAPITAL, UPPER) or r.words[at] == "s":
                continue
            if cues & (STOP | BIT["heading"] | GENERIC) or (cues & HEADS and not (
                sure and at < end - 1 and cues & PLACE
            )):
                continue
            if cues & PLACE:
                return True
            if r.cues[at] & BIT["demonym"] and not sure:
                continue
            word = r.words[at]
            if r.shapes[at] == UPPER and not r.shouted[at]:
                if len(word) > 2 and sure and at < head:
                    return True
                continue
            if not v.plain(word) and (v.named(word) or word in v.city or not r.shouted[at]):
                return True
            if sure and v.medical.get(word, 0) < 2:  # noqa: PLR2004 (few in ICD-10-CM)
                return True
        return False

    def _letterhead(self, first: int, end: int) -> bool:
        """Whether a whole line is a title-case name with a word that is rare in notes."""
        r, v = self._r, self._v
        whole = r.gaps[first] == LINE and (end >= len(r) or r.gaps[end] == LINE)
        return whole and end - first > 2 and not r.shouted[first] and any(  # noqa: PLR2004
            r.shapes[at] == CAPITAL
            and v.ordinary.get(r.words[at], 0) <= 3  # noqa: PLR2004
            and r.words[at] not in v.medical
            and not r.cues[at] & (GENERIC | BIT["heading"] | HEADS)
            for at in range(first, end)
        )

    def _label(self, first: int, end: int) -> Label:
        cues = self._r.cues[first:end]
        if any(c & FACILITY for c in cues):
            return Label.HOSPITAL
        if any(c & (ORG | CENTRE) for c in cues):
            return Label.ORGANIZATION
        return Label.LOCATION_OTHER

    def _span(self, first: int, end: int, label: Label) -> Span:
        r = self._r
        return Span(
            r.starts[first], r.ends[end - 1], label, "organisations.head", 0.9, PRIORITY
        )
