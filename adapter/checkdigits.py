"""Check digit schemes: compute a check digit, and find the scheme a number follows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_NOT_DIGIT = re.compile(r"[^0-9]+")
_DOUBLED = (0, 2, 4, 6, 8, 1, 3, 5, 7, 9)
_NPI_PREFIX = 24
"""Amount that the prefix 80840 adds to the Luhn sum of an NPI (45 CFR 162.406)."""
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_VIN_VALUES = dict(
    zip(
        "0123456789ABCDEFGHJKLMNPRSTUVWXYZ",
        (*range(10), 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9),
        strict=True,
    )
)
VIN_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
"""Letters allowed in a vehicle identification number (49 CFR 565)."""


def digits_of(text: str) -> str:
    """Return the ASCII digits of the text."""
    return _NOT_DIGIT.sub("", text)


def luhn(body: str, start: int = 0) -> str:
    """Return the Luhn digit (ISO/IEC 7812-1, HL7's M10) to append to ``body``."""
    total = start
    for place, digit in enumerate(reversed(body)):
        total += int(digit) if place & 1 else _DOUBLED[int(digit)]
    return str(-total % 10)


def passes_luhn(text: str) -> bool:
    """Whether the digits pass the Luhn check (ISO/IEC 7812-1, annex B; LOINC Users' Guide)."""
    digits = digits_of(text)
    return len(digits) > 1 and luhn(digits[:-1]) == digits[-1]


_PERMUTATION = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)
_ROTATIONS = 5


def _times(a: int, b: int) -> int:
    """Return the product in the dihedral group of ten elements: 0 to 4 rotate, 5 to 9 reflect."""
    turn = a + b if a < _ROTATIONS else a - b
    reflects = (a < _ROTATIONS) != (b < _ROTATIONS)
    return turn % _ROTATIONS + (_ROTATIONS if reflects else 0)


def passes_verhoeff(text: str) -> bool:
    """Whether the digits pass the Verhoeff check (SNOMED CT, Release File Specification 6)."""
    total = 0
    for place, c in enumerate(reversed(digits_of(text))):
        digit = int(c)
        for _ in range(place % 8):
            digit = _PERMUTATION[digit]
        total = _times(total, digit)
    return total == 0


_PZN_LENGTH = 8


def passes_pzn(text: str) -> bool:
    """Whether the digits are a German product number with its check digit (IFA, PZN8 coding)."""
    digits = digits_of(text).zfill(_PZN_LENGTH)
    total = sum(int(d) * weight for weight, d in enumerate(digits[:-1], 1))
    return len(digits) == _PZN_LENGTH and str(total % 11) == digits[-1]


def npi(body: str) -> str:
    """Return the check digit of a US National Provider Identifier."""
    return luhn(body, _NPI_PREFIX)


def nhs(body: str) -> str:
    """Return the mod 11 digit of a UK NHS number, or "" if no digit is valid."""
    rest = 11 - sum(int(d) * w for d, w in zip(body, range(10, 1, -1), strict=True)) % 11
    return {10: "", 11: "0"}.get(rest, str(rest))


def gtin(body: str) -> str:
    """Return the mod 10 digit of a GTIN (GS1) of 12 to 14 digits."""
    return str(-sum(int(d) * (1 if i & 1 else 3) for i, d in enumerate(reversed(body))) % 10)


def dea(body: str) -> str:
    """Return the last digit of a US DEA registration from the six before it."""
    odd, even = sum(map(int, body[::2])), sum(map(int, body[1::2]))
    return str((odd + 2 * even) % 10)


def vin(number: str) -> str:
    """Return the ninth character of a VIN (49 CFR 565.15), or "" if ``number`` is no VIN."""
    try:
        total = sum(_VIN_VALUES[c] * w for c, w in zip(number, _VIN_WEIGHTS, strict=True))
    except (KeyError, ValueError):
        return ""
    return "X" if total % 11 == 10 else str(total % 11)  # noqa: PLR2004 (Roman ten)


_SCHEMES: dict[int, tuple[Callable[[str], str], ...]] = {
    7: (dea,),
    10: (npi, nhs),
    12: (gtin,),
    13: (gtin,),
    14: (gtin,),
    15: (luhn,),
    16: (luhn,),
    19: (luhn,),
}
"""Number of digits -> the schemes to try for a number of that length, in order."""


def scheme_of(digits: str) -> Callable[[str], str] | None:
    """Return the first scheme for numbers of this length that the digits satisfy, or None."""
    for scheme in _SCHEMES.get(len(digits), ()):
        if scheme(digits[:-1]) == digits[-1] and (scheme is not npi or digits[0] in "12"):
            return scheme
    return None
