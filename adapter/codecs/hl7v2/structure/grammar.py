"""Patterns of a field's values by its datatype, loose but sufficient to detect displacement.

A value that fits proves little. One that does not fit, but would fit the neighbouring place, shows
that a separator was lost or doubled (HL7 v2.8.2, chapter 2A for the datatypes).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from adapter.codecs.hl7v2.delimiters import Delimiters

_END = r"(?=[~|]|\Z)"
_ANY = r"[^~|]*"
_DAY = r"(?:18|19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
_NO_TIME = rf"(?!{_DAY}(?:[0-2]\d[0-5]\d(?:[0-5]\d(?:\.\d+)?)?)?(?:[+-]\d{{4}})?{_END})"
"""Any value except a calendar day or a point in time alone."""
_OTHER = _NO_TIME + _ANY
_TIME = rf"(?:\d[\d.+:TZ /-]*)?(?:\^{_ANY})?"
_WORD = rf"(?!\d{{6}})[^~^|]{{1,30}}(?:\^{_ANY})?"
_NAME = rf"(?!\d{{5}})(?=[^~|]*[^\W\d_]|[ .^&\"]*{_END}){_ANY}"
_ADDRESS = r"\d+\w? +[^\W\d_][^|^~]*\^[^|^~]*\^[^|^~]+\^"
_CODED = rf"(?!\d{{6,}}(?:\^\^|[~|]|\Z))(?!{_ADDRESS}){_OTHER}"
_ROOM = rf"(?![^~|^]*\d{{3}}[^~|^]*\^[^\W\d_]{{2}}[^~|^]*\^[^|~^]*(?:[^\W\d_][^|~^]*)?){_OTHER}"
"""A place in a facility, but not a number with a family and a given name."""
_SEX = rf"(?:[A-Za-z]{{1,8}}|\d)(?:\^{_ANY})?"
_MAIL = r"[^\s@^~|]+@[^\s@^~|]+[\^~|]"
_PHONE = rf"(?!(?!{_MAIL})[^^~|]*[^\W\d_]{{5}}[^^~|@]*[\^~|]){_OTHER}"
"""A number, with few letters, or a mail address: "m.okonjo@mail.example^NET^Internet"."""

_DATATYPES: dict[str, str] = {
    "SI": r"\d{1,6}(?:\.\d{1,3})?",
    "NM": r"[ <>=]?[+-]?\d{0,7}(?:\.\d*)?",
    "TM": r"\d[\d.:+-]*",
    **dict.fromkeys(("DT", "DTM", "TS"), _TIME),
    **dict.fromkeys(("ID", "IS"), _WORD),
    **dict.fromkeys(("PN", "XPN"), _NAME),
    **dict.fromkeys(("CX", "CK", "CM_PAT_ID"), rf"(?=[^^~|]*\d|\^|\Z){_OTHER}"),
    **dict.fromkeys(("XTN", "TN"), _PHONE),
    **dict.fromkeys(("PL", "CM_INTERNAL_LOCATION"), _ROOM),
    **dict.fromkeys(("CE", "CNE", "CWE", "FC", "CM_FINANCE"), _CODED),
}
"""Datatype -> pattern of one repetition; any other datatype accepts anything but a time."""

_SPECIFIC = frozenset({"CE", "CNE", "CWE", "CX", "ID", "IS", "XTN"})
"""Datatypes that decide a field's pattern even if another version has plain text (ST)."""

_FIELDS: dict[str, str] = dict.fromkeys(("PID-8", "NK1-15", "GT1-9", "IN1-43"), _SEX)
"""Fields more specific than their datatype: sex (table 0001), which is beside birth dates."""

_PERSONAL = frozenset(
    "AD CK CK_ACCOUNT_NO CM_LICENSE_NO CM_NDL CM_PAT_ID CM_PAT_ID_0192 CN CX DLN DR DT DTM NDL PN "
    "PPN TN TS XAD XCN XPN XTN".split()
)
"""Datatypes that hold names, numbers, addresses, telephones or dates."""

_TELLING = _PERSONAL - {"DT", "DTM", "TS"} | {"FT", "TX"}
"""Datatypes that hold names, numbers, addresses, telephones or whole texts."""

_NUMBERS = frozenset({"PID-19", "PID-23", "GT1-12", "IN1-36", "IN1-49", "IN2-2", "NK1-37"})
"""Plain texts that identify a person: social security and policy numbers, the place of birth."""

IDENTIFYING = frozenset({"PID", "PD1", "MRG", "NK1", "GT1", "IN1", "IN2", "PV1"})
"""Segments in which larger shifts are tried than in others."""

FARTHEST, NEAREST = 6, 2
"""The largest shifts tried, in those segments and in others."""

_USUAL = "|^~&"

_MOST_KNOWN, _LONGEST_KNOWN = 128, 16
_LONGEST_NUMBER, _LONGEST_WORD = 6, 30


@dataclass(frozen=True, slots=True)
class Kept:
    """A field of which a part is kept; ``known`` caches short values that fit."""

    pattern: re.Pattern[str] = field(repr=False)
    wording: bool = False
    """Whether any one repetition that begins with a letter fits."""
    words: bool = False
    """Whether any word of up to 30 letters fits."""
    digits: bool = False
    """Whether any digits fit."""
    known: set[str] = field(default_factory=lambda: {""}, repr=False)

    def fits(self, value: str) -> bool:
        """Whether a value fits."""
        if value[0].isalpha():
            plain = self.wording and "~" not in value
            plain = plain or (self.words and value.isalpha() and len(value) <= _LONGEST_WORD)
        else:
            plain = self.digits and value.isdecimal()
        if not plain and self.pattern.fullmatch(value) is None:
            return False
        if len(value) <= _LONGEST_KNOWN and not value[:_LONGEST_NUMBER].isdecimal():
            self._remember(value)
        return True

    def _remember(self, value: str) -> None:
        if len(self.known) >= _MOST_KNOWN:
            self.known.clear()
            self.known.add("")
        self.known.add(value)


@dataclass(frozen=True, slots=True)
class Field:
    """The grammar of one field of a segment; ``pattern`` is None if any value is valid."""

    pattern: re.Pattern[str] | None
    personal: bool
    """Whether values of its datatype identify a person."""


Places = tuple[tuple["set[str] | None", ...], tuple["Callable[[str], bool]", ...]]
"""Two tuples over the fields of a segment, its name first: cached values that fit (None for a field
that is not kept), and the check of other values."""


class Grammar:
    """The segments of all versions, in the usual delimiters (see `usual`)."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields
        self._segments: dict[str, tuple[Field, ...]] = {}
        self._kept: dict[str, tuple[tuple[int, Kept], ...]] = {}
        self._places: dict[str, Places] = {}

    def __contains__(self, name: str) -> bool:
        """Whether the standard has a segment of this name."""
        return name in self._fields

    def fields(self, name: str) -> Sequence[Field]:
        """Return the grammar of each field of a segment, from its first."""
        found = self._segments.get(name)
        if found is None:
            found = self._segments[name] = tuple(self._compiled(name))
        return found

    def kept(self, name: str) -> Sequence[tuple[int, Kept]]:
        """Return (field number, check) of the fields in which a displaced value would be kept."""
        found = self._kept.get(name)
        if found is None:
            found = self._kept[name] = tuple(_kept(name, self.fields(name)))
        return found

    def out_of_place(self, values: Sequence[str]) -> bool:
        """Whether a value of a segment (name first) does not fit a field that is kept in part."""
        name = values[0]
        places = self._places.get(name)
        if places is None:
            places = self._places[name] = _places(self.kept(name))
        for value, known, fits in zip(values, *places, strict=False):
            if value and known is not None and value not in known and not fits(value):
                return True
        return False

    def fit(self, name: str, values: Sequence[str]) -> bool:
        """Whether at least three in four values of a segment fit their places."""
        wrong = sum(map(misfit, values, self.fields(name)))
        return wrong == 0 or 4 * wrong <= sum(map(bool, values))

    def misfits(self, name: str, values: Sequence[str]) -> bool:
        """Whether any value of a segment does not fit its place."""
        return any(map(misfit, values, self.fields(name)))

    def is_impersonal(self, name: str) -> bool:
        """Whether no field of a segment is for text or a person's name, number or address."""
        return all(types.isdisjoint(_TELLING) for _, types in self._typed(name))

    def _compiled(self, name: str) -> Iterator[Field]:
        for element, types in self._typed(name):
            text = _pattern(element, types)
            personal = element in _NUMBERS or not _PERSONAL.isdisjoint(types)
            yield Field(re.compile(text) if text else None, personal)

    def _typed(self, name: str) -> Iterator[tuple[str, set[str]]]:
        """Yield the fields of a segment with their datatypes in all versions."""
        rows = self._fields[name]
        for number in range(1, max(map(int, rows)) + 1):
            row = rows.get(str(number))
            yield f"{name}-{number}", {datatype for _, datatype in row[1]} if row else set()


def _places(kept: Sequence[tuple[int, Kept]]) -> Places:
    """Return the kept places by field number."""
    by_number = dict(kept)
    numbers = range(max(by_number, default=0) + 1)
    places = [by_number.get(number) for number in numbers]
    known = tuple(place.known if place else None for place in places)
    return known, tuple(place.fits if place else _fits_anything for place in places)


def _fits_anything(_: str) -> bool:
    return True


def _kept(name: str, fields: Sequence[Field]) -> Iterator[tuple[int, Kept]]:
    """Yield checks of fields that are kept, and of personal fields for values in components.

    Checks far from any personal field are omitted, as are checks that reject only times, except for
    impersonal fields of identifying segments.
    """
    reach = FARTHEST if name in IDENTIFYING else NEAREST
    for index, place in enumerate(fields):
        near = fields[max(index - reach, 0) : index + reach + 1]
        if place.pattern is None or not any(other.personal for other in near):
            continue
        text = place.pattern.pattern
        if not place.personal and (text != _repeated(_OTHER) or name in IDENTIFYING):
            yield index + 1, Kept(place.pattern, *_takes(text))
        elif place.personal and text != _repeated(_OTHER):
            yield index + 1, Kept(re.compile(rf"[^^]*\Z|{text}"), *_takes(text))


def _takes(text: str) -> tuple[bool, bool, bool]:
    """Return whether a field's pattern accepts any wording, any word, any digits (see `Kept`)."""
    ending = f'|""){_END}'
    alternatives = f"|{text.removeprefix('(?:').partition(ending)[0]}|"
    wording = any(f"|{one}|" in alternatives for one in (_CODED, _OTHER, _NAME))
    return wording, wording or f"|{_WORD}|" in alternatives, f"|{_TIME}|" in alternatives


def _pattern(element: str, types: set[str]) -> str:
    """Return a field's pattern, the union of all its datatypes; "" if any value is valid."""
    if not types or "varies" in types:
        return ""
    known = {_DATATYPES.get(datatype, _OTHER) for datatype in types}
    if element in _FIELDS:
        known = {_FIELDS[element]}
    elif _SPECIFIC & types and "ST" in types:
        known = {_DATATYPES.get(datatype, _OTHER) for datatype in types - {"ST"}}
    return _repeated("|".join(sorted(known)))


def _repeated(one: str) -> str:
    """Return the pattern of a field whose repetitions may be null or empty."""
    repetition = f'(?:{one}|""|){_END}'
    return f"{repetition}(?:~{repetition})*"


def misfit(value: str, place: Field) -> bool:
    """Whether a value cannot be one of the field; an empty value can."""
    return value != "" and place.pattern is not None and place.pattern.fullmatch(value) is None


@lru_cache(maxsize=64)
def usual(known: Delimiters) -> dict[int, str]:
    r"""Return the `str.translate` table from a message's delimiters to ``|^~\&``; empty if equal.

    Characters that are delimiters only in the default set become an underscore.
    """
    sent = (known.field, known.component, known.repetition, known.subcomponent)
    if sent == tuple(_USUAL):
        return {}
    return dict.fromkeys(map(ord, _USUAL), "_") | dict(zip(map(ord, sent), _USUAL, strict=True))
