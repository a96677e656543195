"""Checks of German, Austrian and Swiss numbers and dates; named in `..checks.common`."""

from __future__ import annotations

import regex

from adapter.checkdigits import digits_of, gtin
from adapter.taggers.patterns.checks.days import is_day

_NUMBER = regex.compile(r"[0-9]+")
_KVNR = regex.compile(r"([A-Z])([0-9]{8})([0-9])")
_PENSION = regex.compile(r"([0-9]{8})([A-Z])([0-9]{2})([0-9])")
_PENSION_WEIGHTS = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
_AUSTRIAN_WEIGHTS = (3, 7, 9, 0, 5, 8, 4, 2, 1, 6)


def kvnr(text: str) -> bool:
    """Whether a letter and nine digits are a health insurance number (SGB V, section 290).

    The letter counts as its two-digit position in the alphabet; weights 1 and 2 alternate.
    """
    match = _KVNR.fullmatch("".join(text.split()))
    if match is None:
        return False
    digits = _placed(match[1]) + match[2]
    return _cross_sum(digits, (1, 2) * 5) % 10 == int(match[3])


def pension(text: str) -> bool:
    """Whether a number is a German pension insurance number (VKVV, section 2).

    It has area, birth date, letter of the family name, serial number and check digit.
    """
    match = _PENSION.fullmatch("".join(text.split()))
    if match is None:
        return False
    digits = match[1] + _placed(match[2]) + match[3]
    return _cross_sum(digits, _PENSION_WEIGHTS) % 10 == int(match[4])


def austrian(text: str) -> bool:
    """Whether ten digits are an Austrian social insurance number: the fourth checks the others."""
    digits = list(map(int, digits_of(text)))
    if len(digits) != len(_AUSTRIAN_WEIGHTS) or digits[0] == 0:
        return False
    total = sum(d * w for d, w in zip(digits, _AUSTRIAN_WEIGHTS, strict=True))
    return total % 11 == digits[3]


def ahv(text: str) -> bool:
    """Whether thirteen digits are a Swiss insurance number: 756 and the EAN-13 check digit."""
    digits = digits_of(text)
    return (
        len(digits) == 13  # noqa: PLR2004
        and digits.startswith("756")
        and gtin(digits[:-1]) == digits[-1]
    )


def physician(text: str) -> bool:
    """Whether nine digits are a German physician number: the seventh checks six (weights 4, 9)."""
    digits = list(map(int, digits_of(text)))
    if len(digits) != 9:  # noqa: PLR2004
        return False
    total = sum(d * w for d, w in zip(digits[:6], (4, 9) * 3, strict=True))
    return (10 - total % 10) % 10 == digits[6]


def day_point_month(text: str) -> bool:
    """Whether one to three numbers are a day, or begin with day and month of the calendar."""
    numbers = [int(n) for n in _NUMBER.findall(text)]
    if len(numbers) == 1:
        return 1 <= numbers[0] <= 31  # noqa: PLR2004
    return len(numbers) in (2, 3) and is_day(numbers[1], numbers[0])


def _placed(letter: str) -> str:
    return f"{ord(letter) - ord('A') + 1:02}"


def _cross_sum(digits: str, weights: tuple[int, ...]) -> int:
    """Return the sum of the digit sums of the weighted digits."""
    return sum(sum(divmod(int(d) * w, 10)) for d, w in zip(digits, weights, strict=True))
