"""Written forms of ids, telephone numbers, e-mail addresses and dates of birth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold, squeeze
from adapter.phrases.common_words import SHORTEST_NUMBER
from adapter.phrases.groups import significant
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adapter.phrases.common_words import DateWords, WordList

Form = tuple[str, str, Label | None, bool]
"""(text, form, label or None for the field's own, whether it is an ordinary word)."""

_HANDLE = regex.compile(
    r"@([\w.\-]{3,40})|(?=.*\p{L}{3})(?=.*[\d_])(?!(?:\D*\d){5})"
    r"(\p{L}[\w.\-]{4,39})"
)
"""A user name: behind an "@", or letters with few digits."""
_OID = regex.compile(r"(?:(?i:urn:(?:oid|uuid):))?(?:\d+(?:\.\d+){3,}|[0-2](?:\.\w+){4,})")
DAY = regex.compile(r"(\d{4})-?(\d{2})-?(\d{2})")
"""The year, month and day that begin a date or time of HL7 v2 or FHIR."""
_US_DIGITS = 10
_LOCAL_DIGITS = 7
_SUBSCRIBER_DIGITS = 7
"""Minimum number of digits of a national number that is looked for without its country code."""
_INTERNATIONAL = regex.compile(r"\s*\(?(?:\+|00(?=[ (./-]?[1-9]))")
_COUNTRY = regex.compile(r"1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|[2-9]\d\d")
"""Country codes of telephone numbers by their length (ITU-T E.164)."""
_CHECKED = regex.compile(r"([\d.]{7,12})-[\dkK]|\d\d-(\d{8})-\d")
"""A number with its check digit behind a hyphen; that of a CUIL surrounds the number of a card."""
_SSN_DIGITS = 9
_LAST = 4
_MONTHS = range(1, 13)


def number(text: str, slot: str, label: Label | None, words: WordList) -> Iterator[Form]:
    """Yield forms of an id: as sent, without zeros or check digit, digits; four digits of an SSN.

    An id of letters alone is a user name. An OID names a name space and gives no form.
    """
    key = squeeze(text)
    if not significant(key, words.fields) or _OID.fullmatch(text):
        return
    if not any(c.isdigit() for c in key):
        if len(key) >= SHORTEST_NUMBER and not words.weak(key) and slot.startswith("id"):
            yield text, f"{{{slot}}}", Label.USERNAME, False
        return
    digits = "".join(c for c in key if c.isdigit())
    yield key, f"{{{slot}}}", label, len(key) < SHORTEST_NUMBER
    for shorter in {key.lstrip("0"), digits, digits.lstrip("0")} - {key}:
        longest = key.isdigit() or len(digits) > SHORTEST_NUMBER
        if len(shorter) >= SHORTEST_NUMBER and longest and significant(shorter, words.fields):
            yield shorter, f"{{{slot}}}", label, False
    if (checked := _CHECKED.fullmatch(text.strip())) is not None:
        stem = squeeze(checked[1] or checked[2]).lstrip("0")
        if len(stem) >= _LOCAL_DIGITS and significant(stem, words.fields):
            yield stem, f"{{{slot}}}", label, False
    if label is Label.SSN and len(digits) == _SSN_DIGITS:
        yield digits[-_LAST:], f"{{{slot}:last4}}", label, True


def telling(text: str) -> bool:
    """Whether a number of a place or thing is specific: long enough, and containing digits."""
    key = squeeze(text)
    return len(key) > SHORTEST_NUMBER and any(c.isdigit() for c in key)


def phone(text: str, slot: str, words: WordList) -> Iterator[Form]:
    """Yield forms of a telephone number: all digits, national, a North American's last seven.

    Its last four digits are a form too, which only words such as "ending in" make a mention. Fields
    of telephone numbers may hold the handle of somebody's account instead.
    """
    if (handle := _HANDLE.fullmatch(text.strip())) is not None:
        yield from plain(handle[1] or handle[2], slot, Label.USERNAME, words)
        return
    extension = words.fields.extension.search(text)
    main = text[: extension.start()] if extension else text
    digits = "".join(c for c in main if c.isdigit())
    if not significant(digits, words.fields) or len(digits) < SHORTEST_NUMBER:
        return
    if len(digits) >= _LOCAL_DIGITS:
        yield digits[-_LAST:], f"{{{slot}:last4}}", None, True
    if len(digits) == _US_DIGITS + 1 and digits[0] == "1":
        yield digits, f"{{{slot}}}", None, False
        digits = digits[1:]
    elif (international := _INTERNATIONAL.match(main)) is not None:
        yield from _national(digits[international[0].count("0") :], slot)
        return
    yield digits, f"{{{slot}}}", None, False
    if len(digits) == _US_DIGITS:
        yield digits[-_LOCAL_DIGITS:], f"{{{slot}:last7}}", None, False
    elif len(digits) > _US_DIGITS and digits[0] != "0":
        yield digits[-_US_DIGITS:], f"{{{slot}:last10}}", None, False
    if digits[0] == "0" and len(digits) >= _SUBSCRIBER_DIGITS + 2:
        yield digits[1:], f"{{{slot}}}", None, False


def _national(digits: str, slot: str) -> Iterator[Form]:
    """Yield an international number with and without its country code and trunk prefix."""
    code = _COUNTRY.match(digits)
    if code is None:
        yield digits, f"{{{slot}}}", None, False
        return
    country, behind = code[0], digits[code.end() :]
    national = behind.lstrip("0")
    yield country + national, f"{{{slot}}}", None, False
    if behind != national:
        yield digits, f"{{{slot}}}", None, False
    if len(national) >= _SUBSCRIBER_DIGITS:
        yield national, f"{{{slot}}}", None, False
        yield "0" + national, f"{{{slot}}}", None, False
    if len(national) > _US_DIGITS:  # the Argentine "9" of mobile telephones, for instance
        yield national[-_US_DIGITS:], f"{{{slot}:last10}}", None, False
        yield "0" + national[-_US_DIGITS:], f"{{{slot}:last10}}", None, False


def email(text: str, slot: str, words: WordList) -> Iterator[Form]:
    """Yield an e-mail address, and its local part if specific; without "@", forms of a phone."""
    local, at, _ = text.partition("@")
    if not at:
        yield from phone(text, slot, words)
        return
    yield text, f"{{{slot}}}", None, False
    key = squeeze(local)
    if len(key) >= SHORTEST_NUMBER and not words.weak(key) and key not in words.fields.mailboxes:
        yield local, f"{{{slot}:local}}", Label.USERNAME, False


_BIRTH_YEARS = range(1901, 2200)
"""Years outside this range mean an unknown date in many feeds, and identify nobody."""


def date(text: str, slot: str, words: WordList) -> Iterator[Form]:
    """Yield a date in the usual layouts, with month names of the language; none without a day."""
    match = DAY.match(text)
    if match is None or int(match[2]) not in _MONTHS:
        return
    year, month, day = match.groups()
    if int(year) not in _BIRTH_YEARS:
        return
    form = f"{{{slot}}}"
    written = layouts(year, month, day, words.dates)
    if slot.startswith("birthdate"):
        written += compact(year, month, day)
    for layout in written:
        yield layout, form, Label.DATE, False


def layouts(year: str, month: str, day: str, dates: Iterable[DateWords]) -> list[str]:
    """Return the layouts of a date whose parts are digits with leading zeros.

    Separators are blanks, which match any of "-/., ".
    """
    m, d, y = str(int(month)), str(int(day)), year[2:]
    found = [year + month + day, f"{year} {month} {day}"]
    for mm, dd in ((month, day), (m, d)):
        found += [f"{mm} {dd} {year}", f"{dd} {mm} {year}", f"{mm} {dd} {y}", f"{dd} {mm} {y}"]
    for months, numbers in dates:
        names = months.spelled(int(month) - 1)
        for word in names:
            for written in dict.fromkeys((d, day)):
                found += [f"{word} {written} {year}", f"{written} {word} {year}"]
        if suffix := numbers.suffix(int(d)):
            found += [f"{names[0]} {d} {suffix} {year}", f"{d} {suffix} {names[0]} {year}"]
    return list(dict.fromkeys(found))


def compact(year: str, month: str, day: str) -> list[str]:
    """Return the further layouts of a date of birth without separators: 092374, 740923, 23091974.

    Other dates give none: six digits of any date of a message would occur by chance too often.
    """
    return list(dict.fromkeys((
        month + day + year, day + month + year,
        month + day + year[2:], day + month + year[2:], year[2:] + month + day,
    )))  # fmt: skip


def plain(text: str, slot: str, label: Label | None, words: WordList) -> Iterator[Form]:
    """Yield the only form of a value such as a URL, an IP address or a user name."""
    if len(squeeze(text)) >= SHORTEST_NUMBER and fold(text) not in words.fields.placeholders:
        yield text, f"{{{slot}}}", label, fold(text) in words.fields.mailboxes
