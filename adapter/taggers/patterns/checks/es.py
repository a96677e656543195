"""Checks of Spanish numbers; named in `adapter.taggers.patterns.checks.common`."""

from __future__ import annotations

from adapter.checkdigits import digits_of

_LETTERS = "trwagmyfpdxbnjzsqvhlcke"
_FOREIGN = "xyz"
_SOCIAL_SECURITY_DIGITS = 12
_PROVINCES = range(1, 67)


def dni(text: str) -> bool:
    """Whether a DNI, or an NIE beginning with X, Y or Z, has the right letter (modulo 23).

    Real Decreto 1553/2005, article 11; Orden INT/2058/2008.
    """
    word = "".join(c for c in text.lower() if c.isalnum())
    if len(word) < 2:  # noqa: PLR2004 (a digit and its letter)
        return False
    first = _FOREIGN.find(word[0])
    number = word[:-1] if first < 0 else f"{first}{word[1:-1]}"
    return number.isdecimal() and word[-1] == _LETTERS[int(number) % len(_LETTERS)]


def social_security(text: str) -> bool:
    """Whether twelve digits are a social security number: province, number, modulo 97 of both.

    A number under ten million joins its province without its leading zero (TGSS).
    """
    digits = digits_of(text)
    if len(digits) != _SOCIAL_SECURITY_DIGITS or int(digits[:2]) not in _PROVINCES:
        return False
    number = digits[2:10]
    joined = digits[:2] + (number.removeprefix("0"))
    return int(joined) % 97 == int(digits[10:])
