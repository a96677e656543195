"""Named checks of a mention's text: check digits and calendars. Pure, total, text -> bool."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import regex

from adapter import checkdigits
from adapter.checkdigits import digits_of, passes_luhn, passes_pzn, passes_verhoeff
from adapter.taggers.patterns.checks import de as german
from adapter.taggers.patterns.checks import es as spanish
from adapter.taggers.patterns.checks.days import is_day

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_NUMBER = regex.compile(r"[0-9]+")
_END = regex.compile(r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?")
_HOURS = regex.compile(r"(?:[01][0-9]|2[0-4])[0-5][0-9]-(?:[01][0-9]|2[0-4])[0-5][0-9]")
_OTHER = regex.compile(
    _HOURS.pattern
    + r"|[0-9]{3}-[0-9]{3}|(?:[0-9]{3}-)?[0-9]{3}-[0-9]{4}|[0-9]{3}-[0-9]{2}-[0-9]{4}"
)
_YEARS = range(1880, 2101)


def npi(text: str) -> bool:
    """Whether ten digits are a US national provider identifier: Luhn with prefix 80840 (CMS)."""
    digits = digits_of(text)
    return (
        len(digits) == 10  # noqa: PLR2004
        and digits[0] in "12"
        and checkdigits.npi(digits[:-1]) == digits[-1]
    )


def dea(text: str) -> bool:
    """Whether two letters and seven digits pass the DEA registration number's check digit."""
    digits = digits_of(text)
    return len(digits) == 7 and checkdigits.dea(digits[:-1]) == digits[-1]  # noqa: PLR2004


def nhs(text: str) -> bool:
    """Whether ten digits pass the modulus 11 check of an NHS number (NHS Data Dictionary)."""
    digits = digits_of(text)
    return len(digits) == 10 and checkdigits.nhs(digits[:-1]) == digits[-1]  # noqa: PLR2004


def chi(text: str) -> bool:
    """Whether ten digits are a Scottish CHI number: date of birth, then modulus 11."""
    digits = digits_of(text)
    return nhs(text) and 1 <= int(digits[:2]) <= 31 and 1 <= int(digits[2:4]) <= 12  # noqa: PLR2004


def ssn(text: str) -> bool:
    """Whether nine digits may be a US social security number ever issued (SSA, POMS RM 10201)."""
    digits = digits_of(text)
    return (
        len(digits) == 9  # noqa: PLR2004
        and digits[:3] not in ("000", "666")
        and digits[3:5] != "00"
        and digits[5:] != "0000"
    )


def ipv4(text: str) -> bool:
    """Whether four dotted numbers are each at most 255 (RFC 791)."""
    parts = text.split(".")
    return len(parts) == 4 and all(p.isdigit() and int(p) <= 255 for p in parts)  # noqa: PLR2004


def iban(text: str) -> bool:
    """Whether an account number passes ISO 13616's modulus 97."""
    packed = "".join(text.lower().replace("-", " ").split())
    if not packed.isalnum() or not packed.isascii():
        return False
    return int("".join(str(int(c, 36)) for c in packed[4:] + packed[:4])) % 97 == 1


def vin(text: str) -> bool:
    """Whether 17 characters pass the North American vehicle check digit (49 CFR 565.15)."""
    word = text.upper()
    return len(word) == 17 and checkdigits.vin(word) == word[8]  # noqa: PLR2004


def code(text: str) -> bool:
    """Whether a token contains a digit, so that it is no ordinary word."""
    return any(c.isdigit() for c in text)


def identifier(text: str) -> bool:
    """Whether a token may be an identifier: at least three digits, and not a lone year."""
    return sum(map(str.isdigit, text)) > 2 and not (  # noqa: PLR2004
        len(text) == 4 and text.isdigit() and int(text) in _YEARS  # noqa: PLR2004
    )


def coded(text: str) -> bool:
    """Whether a token is surely an identifier: five digits, or three with other characters."""
    digits = sum(map(str.isdigit, text))
    if _HOURS.fullmatch(text):
        return False
    return digits > 4 or (digits > 2 and not text.isdigit())  # noqa: PLR2004


def telling(text: str) -> bool:
    """Whether a code of letters and digits has at least four digits."""
    return sum(map(str.isdigit, text)) > 3  # noqa: PLR2004


def headed(text: str) -> bool:
    """Whether a number may be a chart number by position alone: six digits, no date, no phone."""
    digits = sum(map(str.isdigit, text))
    letters = any(map(str.isalpha, text))
    if calendar(text) or compact_date(text) or _OTHER.fullmatch(text):
        return False
    return (digits > 5 and digits != 10) or (digits > 3 and letters)  # noqa: PLR2004


def month_day(text: str) -> bool:
    """Whether two numbers are a month and a day of the Gregorian calendar, in this order."""
    numbers = [int(n) for n in _NUMBER.findall(text)]
    return len(numbers) == 2 and is_day(numbers[0], numbers[1])  # noqa: PLR2004


def month_year(text: str) -> bool:
    """Whether two numbers are a month and a year of two or four digits, in this order."""
    numbers = _NUMBER.findall(text)
    return len(numbers) == 2 and 1 <= int(numbers[0]) <= 12 and _is_year(numbers[1])  # noqa: PLR2004


def _is_year(number: str) -> bool:
    return len(number) == 2 or (len(number) == 4 and int(number) in _YEARS)  # noqa: PLR2004


def calendar(text: str) -> bool:
    """Whether three numbers are a date as month-day-year, day-month-year or year-month-day."""
    numbers = _NUMBER.findall(text)
    if len(numbers) != 3:  # noqa: PLR2004
        return False
    first, second, third = (int(n) for n in numbers)
    if len(numbers[0]) == 4:  # noqa: PLR2004
        return first in _YEARS and is_day(second, third)
    return _is_year(numbers[2]) and (is_day(first, second) or is_day(second, first))


def either_date(text: str) -> bool:
    """Whether two or three numbers are a date, with or without its year."""
    return calendar(text) or month_day(text)


def fraction(text: str) -> bool:
    """Whether in all pairs a/b the first number is at most the second, as in scores."""
    numbers = [int(n) for n in _NUMBER.findall(text)]
    return all(a <= b for a, b in zip(numbers[::2], numbers[1::2], strict=False))


def compact_date(text: str) -> bool:
    """Whether eight digits are a date as YYYYMMDD (ISO 8601 basic) or MMDDYYYY."""
    if len(text) != 8 or not text.isdigit():  # noqa: PLR2004
        return False
    return (int(text[:4]) in _YEARS and is_day(int(text[4:6]), int(text[6:]))) or (
        int(text[4:]) in _YEARS and is_day(int(text[:2]), int(text[2:4]))
    )


def short_date(text: str) -> bool:
    """Whether six digits are a date as MMDDYY, DDMMYY or YYMMDD."""
    if len(text) != 6 or not text.isdigit():  # noqa: PLR2004
        return False
    one, two, three = (int(text[at : at + 2]) for at in (0, 2, 4))
    return is_day(one, two) or is_day(two, one) or is_day(two, three)


def rising(text: str) -> bool:
    """Whether two numbers are the ends of a range: the first is lower, and no hundredth or less."""
    ends = [float(n.replace(",", "")) for n in _END.findall(text)]
    return len(ends) == 2 and ends[0] < ends[1] and not 0 < ends[0] * 100 <= ends[1]  # noqa: PLR2004


def age(text: str) -> bool:
    """Whether the first number is at most 120, a possible age in years."""
    number = _NUMBER.search(text)
    return number is not None and int(number.group()) <= 120  # noqa: PLR2004


VALIDATORS: Mapping[str, Callable[[str], bool]] = {
    "age": age,
    "ahv": german.ahv,
    "austrian-insurance": german.austrian,
    "calendar": calendar,
    "chi": chi,
    "code": code,
    "coded": coded,
    "compact-date": compact_date,
    "day-point-month": german.day_point_month,
    "dea": dea,
    "dni": spanish.dni,
    "either-date": either_date,
    "fraction": fraction,
    "german-pension": german.pension,
    "german-physician": german.physician,
    "iban": iban,
    "headed": headed,
    "identifier": identifier,
    "ipv4": ipv4,
    "kvnr": german.kvnr,
    "luhn": passes_luhn,
    "month-day": month_day,
    "month-year": month_year,
    "nhs": nhs,
    "npi": npi,
    "pzn": passes_pzn,
    "rising": rising,
    "short-date": short_date,
    "snomed": passes_verhoeff,
    "social-security": spanish.social_security,
    "ssn": ssn,
    "telling": telling,
    "vin": vin,
}
"""The checks by their name in rule files."""


def validator_of(asked: str | Mapping[str, Any]) -> Callable[[str], bool]:
    """Return a check by its name, or the check that a table of a rule file describes.

    Keys of a table: ``digits`` is the length of the number. ``luhn = true``, or ``modulus`` with
    ``key``, the number of check digits at the end, which must be the remainder of the other digits,
    or with ``complement = true`` the modulus minus the remainder. ``replace`` maps characters to
    their replacements.

    Raises:
        KeyError: the name is unknown.
        ValueError: a key of the table is unknown, or the table gives no check.
    """
    if isinstance(asked, str):
        return VALIDATORS[asked]
    if asked.keys() - _DESCRIBED or "digits" not in asked or ("luhn" in asked) == ("key" in asked):
        raise ValueError("a validator needs digits, and luhn or modulus with key")
    return partial(_holds, asked)


_DESCRIBED = frozenset({"digits", "luhn", "modulus", "key", "complement", "replace"})


def _holds(asked: Mapping[str, Any], text: str) -> bool:
    written = text.lower()
    for old, new in asked.get("replace", {}).items():
        written = written.replace(old, new)
    digits = digits_of(written)
    if len(digits) != asked["digits"]:
        return False
    if asked.get("luhn"):
        return passes_luhn(digits)
    number, key = int(digits[: -asked["key"]]), int(digits[-asked["key"] :])
    rest = number % asked["modulus"]
    wanted: int = asked["modulus"] - rest if asked.get("complement") else rest
    return key == wanted
