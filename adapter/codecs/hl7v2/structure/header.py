"""The grammar of a message header: valid values of MSH-7 to MSH-20 (HL7 v2.8.2, 2.14.9).

These fields are kept, so that a header whose end was lost would release the next segment with it.
An empty field is always valid: senders leave out even required ones.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from adapter.codecs.hl7v2.charsets import is_charset
from adapter.errors import DecodeError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.codecs.hl7v2.delimiters import Delimiters

    Patterns = tuple[tuple[int, re.Pattern[str]], ...]

_CODE = r"[A-Za-z][A-Za-z0-9]{2}"
_GRAMMAR: dict[int, str] = {
    7: r"[\d.:+\- /TZ]{0,32}(?:<C>[A-Z]?)?",  # a time, with TS.2, the degree of precision
    9: rf"(?:{_CODE})?(?:(?:<C>|\^)(?:{_CODE}(?:_{_CODE})?)?){{0,3}}<C>*",
    11: r"\w{0,2}(?:<C>\w{0,2})?",  # tables 0103 and 0207
    12: r"[Vv?]?(?:\d{1,2}(?:\.(?:\d{1,4}|[A-Za-z])){0,3})?(?:<C>(?:[\w. -]|<S>){0,40}){0,2}<C>*",
    13: r"\w{0,12}",
    15: r"[A-Za-z]{0,12}",
    16: r"[A-Za-z]{0,12}",
    17: r"\w{0,3}",
    19: r"[A-Za-z]{0,8}(?:[-_]\w{1,8})?(?:<C>[^<C><R>]*){0,21}",
    20: r"[\w .\-/]{0,20}",
}
"""Field of MSH -> its pattern; <C>, <S>, <R> stand for the delimiters."""
_CODES, _LAST = 10, max(_GRAMMAR)
_CERTAIN: dict[int, str] = {
    11: r"[PDT](?:\^[ARIT]?)?",
    12: r"2\.\d(?:\.\d)?(?:\^[^|]*)?",
    13: r"\d*",
    14: "",
    15: "(?:AL|NE|ER|SU)?",
    16: "(?:AL|NE|ER|SU)?",
    17: "(?:[A-Z]{2,3})?",
    19: r"(?:[A-Za-z]{2,3}(?:[-_]\w{2,4})?(?:\^[^|]*)?)?",
    20: r"(?:ISO 2022-1994|2\.3)?",
}
"""Field of MSH -> its pattern in the usual delimiters, so narrow that no segment fits several."""
_STRICT = {number: re.compile(pattern + '|""') for number, pattern in _CERTAIN.items()}
_VERSION, _CHARSET, _LANGUAGE = 12, 18, 19
_TELLING = (15, 16, _CHARSET)
"""Fields of MSH from the 13th on with codes that no other segment has there."""
_CONTROL = re.compile("[\\x00-\\x08\\x0b-\\x1f\\x7f\\x85\\u2028\\u2029]")
_FRAMING = "\x0b\x1c\ufeff \t"


def check_header(line: str, delimiters: Delimiters) -> None:
    """Check a header segment as sent, without its line end.

    Raises:
        DecodeError: "segments" if a field of MSH is invalid, or a control character or a
            Unicode line end is in the header.
    """
    header = line.rstrip(_FRAMING)
    if not header.isprintable() and _CONTROL.search(header):
        raise DecodeError("segments")
    if not header.startswith("MSH"):
        return
    fields = header.split(delimiters.field, _LAST)
    varying, repeated = _patterns(delimiters)
    if not _fit(varying, fields) or not _codes_fit(repeated, tuple(fields[_CODES:_LAST])):
        raise DecodeError("segments")


def goes_on(header: str, at: int) -> bool:
    """Whether a header in the usual delimiters goes on behind ``at``, where a field ends.

    Then a segment's name before ``at`` is a value, such as a country in MSH-17 ("AUT", "PRT") or
    MSH-12.2: all fields behind it are valid, and some of them are found in no other segment.
    """
    if not header.startswith("MSH"):
        return False
    number = header.count("|", 0, at) + 2
    fields = dict(enumerate(header[at + 1 :].rstrip(_FRAMING).split("|"), number))
    if not all(_certain(place, value) for place, value in fields.items()):
        return False
    if number <= _VERSION:
        return fields.get(_VERSION, "")[:1].isdigit()
    named = any(fields.get(place) for place in _TELLING)
    return named or fields.get(_LANGUAGE, "")[:1].islower()


def _certain(number: int, value: str) -> bool:
    """Whether a value is certainly one of a field of MSH, if its values can be told at all."""
    if number == _CHARSET:
        return all(is_charset(name.strip()) for name in value.split("~") if name)
    pattern = _STRICT.get(number)
    return pattern is None or pattern.fullmatch(value) is not None


def _fit(patterns: Patterns, fields: Sequence[str]) -> bool:
    count = len(fields)
    return all(at >= count or pattern.fullmatch(fields[at]) for at, pattern in patterns)


_codes_fit = lru_cache(maxsize=1024)(_fit)
"""Like `_fit`, cached for fields that most messages of a sender share."""


@lru_cache(maxsize=64)
def _patterns(known: Delimiters) -> tuple[Patterns, Patterns]:
    """Return patterns of the fields before MSH-11, and of those from MSH-11 on, by their index."""
    marks = {"<C>": known.component, "<S>": known.subcomponent, "<R>": known.repetition}
    found = [(number - 1, _compiled(text, marks)) for number, text in _GRAMMAR.items()]
    codes = tuple((at - _CODES, pattern) for at, pattern in found if at >= _CODES)
    return tuple(found[: -len(codes)]), codes


def _compiled(grammar: str, marks: Mapping[str, str]) -> re.Pattern[str]:
    for name, mark in marks.items():
        grammar = grammar.replace(name, re.escape(mark))
    return re.compile(grammar + '|""')
