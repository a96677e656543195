"""Organisations by a person's relation: "drives for Frontier", "employer: Borderland Roofing".

A verb or an occupation with a preposition, a word of study, or a kind of supplier makes the
capitalised words after it a name; alone they would be no evidence of one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.english.vocabulary import BIT
from adapter.taggers.english.words import BLANK, CAPITAL, LINE, LOWER, MARK, UPPER, words
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.taggers.english.vocabulary import Vocabulary
    from adapter.taggers.english.words import Reading

PRIORITY, WEAK = 50, 25
AREA, LINE_DIGITS = 3, 4
"""Numbers of digits of an area code, and of the last part of a telephone number."""
REACH, LONGEST, TECHNICAL, SHORTEST = 5, 5, 2, 3
"""Number of words before a preposition that may name the work; maximum number of words in a name;
minimum strength of medical words that are not names; minimum number of letters in an acronym."""

_WORK = words(
    "works worked working work employed employee employment job drives drove driving teaches"
    " taught teaching teacher volunteers volunteered volunteer retired career shifts shift interned"
    " apprentice contractor contracts sings plays preaches coaches cleans cooks owns runs manages"
)
_JOINS = words("for at by @")
_STUDY = words(
    "attends attended attending graduated grad graduate studying studies studied enrolled student"
    " alumnus alumna"
)
_STUDY_JOINS = words("from at the of")
_SUPPLIERS = words(
    "employer employers emp carrier insurer payer payor tpa dme supplier vendor pharmacy pharm"
    " school church congregation parish faith sponsor agency shelter mortuary union workplace"
    " snf rehab dispatch carriers brigade ambulance transporter"
)
_SIGNS = frozenset((":", "=", "-"))
_CLOSES = frozenset((".", ";", ":"))
_INNER = words("of the & and de la")
_DEPARTMENTS = words("ed er icu bmt peds onc va cboc vamc hsc nicu picu ccu")
_TRIGGERS = _JOINS | _STUDY | _SUPPLIERS | _DEPARTMENTS
_PHONE_MARKS = frozenset(("-", ".", ")", "/"))
_PHONES = words("fax ph phone tel telephone cell mobile mob f p t @ at office ofc")
_NEVER = sum(
    BIT[name]
    for name in words(
        "stop heading title doctor kin patient staff credential verb prep field demonym brandish"
        " closing"
    )
)
_KINDS = BIT["generic"] | BIT["heading"]


class Affiliations:
    """The rules for employers, schools and suppliers over one reading."""

    def __init__(self, reading: Reading, vocabulary: Vocabulary) -> None:
        self._r = reading
        self._v = vocabulary

    def find(self) -> Iterator[Span]:
        """Yield the organisations that somebody works for, attends or is supplied by."""
        r = self._r
        for at, word in enumerate(r.words):
            if word not in _TRIGGERS:
                if len(word) == AREA and word.isdigit() and self._phone(at):
                    yield from self._before_phone(at)
            elif word in _JOINS:
                if r.shapes[at] in (LOWER, MARK) and self._employed(at):
                    yield from self._name(at + 1)
            elif word in _STUDY:
                after = at + 1
                while after < len(r) and r.words[after] in _STUDY_JOINS:
                    after += 1
                yield from self._name(after)
            elif word in _SUPPLIERS:
                yield from self._supplier(at)
            elif r.shapes[at] == UPPER and not r.shouted[at]:
                yield from self._department(at)

    def _employed(self, at: int) -> bool:
        """Whether work or an occupation is named within `REACH` words before ``at``."""
        r, trade = self._r, self._v.trade.classes
        for before in range(at - 1, max(-1, at - 1 - REACH), -1):
            word = r.words[before]
            if word in _CLOSES or r.gaps[before + 1] == LINE:
                return False
            if word in _WORK or any(c != "modifier" for c in trade.get(word, ())):
                return True
        return False

    def _supplier(self, at: int) -> Iterator[Span]:
        """Yield the name after the kind of supplier, with or without a colon."""
        r = self._r
        after = at + 1
        signed = r.words[after : after + 1] and r.words[after] in _SIGNS
        after += bool(signed)
        if signed or r.shapes[at] != CAPITAL or self._opens(at):
            yield from self._name(after, shouted=bool(signed))

    def _name(self, start: int, *, shouted: bool = False) -> Iterator[Span]:
        """Yield the capitalised words at ``start`` if they can be a name."""
        r = self._r
        if r.words[start : start + 1] == ["the"] and r.shapes[start] == LOWER:
            start += 1
        end = at = start
        while at < len(r) and at - start < LONGEST and (at == start or r.gaps[at] <= BLANK):
            if self._part(at, shouted=shouted):
                end = at + 1
            elif r.words[at] not in _INNER or at == start:
                break
            at += 1
        if end > start and r.gaps[start] < LINE and self._tells(start, end):
            yield Span(
                r.starts[start], r.ends[end - 1], Label.ORGANIZATION, "organisations.affiliation",
                0.8, PRIORITY,
            )  # fmt: skip

    def _part(self, at: int, *, shouted: bool) -> bool:
        r = self._r
        if r.shapes[at] not in (CAPITAL, UPPER) or r.cues[at] & _NEVER:
            return False
        return shouted or not r.shouted[at]

    def _tells(self, start: int, end: int) -> bool:
        """Whether at least one word is neither medical nor a kind of organisation."""
        return any(self._telling(at) for at in range(start, end))

    def _telling(self, at: int) -> bool:
        r, v = self._r, self._v
        word = r.words[at]
        if r.shapes[at] not in (CAPITAL, UPPER) or r.cues[at] & (_KINDS | _NEVER):
            return False
        if (
            r.shapes[at] == UPPER
            and not r.shouted[at]
            and (len(word) < SHORTEST or word in v.abbreviation)
        ):
            return False
        return v.medical.get(word, 0) < TECHNICAL and word not in v.eponym

    def _phone(self, at: int) -> bool:
        """Whether a telephone number of ten digits begins at ``at``."""
        numbers = [word for word in self._r.words[at : at + 6] if word not in _PHONE_MARKS]
        return [len(word) for word in numbers[:3]] == [AREA, AREA, LINE_DIGITS] and all(
            word.isdigit() for word in numbers[:3]
        )

    def _before_phone(self, at: int) -> Iterator[Span]:
        """Yield the capitalised words before a telephone number as the organisation that has it."""
        r = self._r
        last = at - 1
        while (
            last >= 0
            and (r.words[last] in _PHONES or r.words[last] in "(:#,")
            and (r.gaps[last + 1] < LINE)
        ):
            last -= 1
        first = last + 1
        while (
            first > 0
            and last - first < LONGEST
            and r.gaps[first] <= BLANK
            and (self._part(first - 1, shouted=False))
        ):
            first -= 1
        if first <= last and self._opens(first) and self._v.plain(r.words[first]):
            first += 1
        if first <= last and self._tells(first, last + 1):
            yield Span(
                r.starts[first], r.ends[last], Label.ORGANIZATION, "organisations.phone", 0.6,
                WEAK,
            )  # fmt: skip

    def _department(self, at: int) -> Iterator[Span]:
        """Yield the hospital named before its department: "Good Shepherd ED"."""
        r = self._r
        first = at
        while (
            first > 0
            and at - first < LONGEST
            and r.gaps[first] == BLANK
            and (r.shapes[first - 1] == CAPITAL and not r.cues[first - 1] & (_NEVER | _KINDS))
        ):
            first -= 1
        if first < at and self._opens(first) and self._v.plain(r.words[first]):
            first += 1
        if first < at and self._tells(first, at):
            yield Span(
                r.starts[first], r.ends[at], Label.HOSPITAL, "organisations.department", 0.7,
                PRIORITY,
            )  # fmt: skip

    def _opens(self, at: int) -> bool:
        r = self._r
        return at == 0 or r.gaps[at] == LINE or r.shapes[at - 1] == MARK
