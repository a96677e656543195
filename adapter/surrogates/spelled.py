"""English numbers in words, as dictated: days ("twenty eighth"), years, ages, both ways."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen"
).split()
_TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()
_IRREGULAR = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth",
    "nine": "ninth", "twelve": "twelfth",
}  # fmt: skip
CARDINALS = (
    {word: n for n, word in enumerate(_UNITS)}
    | {word: 10 * n for n, word in enumerate(_TENS) if n > 1}
    | {"oh": 0}
)
"""Words of numbers below a hundred."""
SCALES = {"hundred": 100, "thousand": 1000}


def ordinal(number: int) -> str:
    """28 -> "twenty eighth"."""
    *front, last = cardinal(number).split()
    regular = last[:-1] + "ieth" if last.endswith("y") else last + "th"
    return " ".join((*front, _IRREGULAR.get(last, regular)))


def cardinal(number: int) -> str:
    """Words of a number below a hundred: 28 -> "twenty eight"."""
    if number < len(_UNITS):
        return _UNITS[number]
    tens, unit = divmod(number, 10)
    return f"{_TENS[tens]} {_UNITS[unit]}" if unit else _TENS[tens]


ORDINALS = {ordinal(n): n for n in (*range(1, 21), 30)}
"""Days of a month of one word; "twenty" stands in front of others."""


def value(words: Sequence[str]) -> int | None:
    """The number that words say: "two thousand fourteen", "nineteen eighty four", "fifty two"."""
    pieces: list[int] = []
    for word in words:
        if word in SCALES:
            pieces[-1:] = [(pieces[-1] if pieces else 1) * SCALES[word]]
        elif word in CARDINALS:
            _add(pieces, CARDINALS[word])
        elif word != "and":
            return None
    if len(pieces) == 2 and pieces[0] < 100:  # noqa: PLR2004 (century and year)
        return pieces[0] * 100 + pieces[1]
    return sum(pieces) if pieces else None


def _add(pieces: list[int], number: int) -> None:
    """Join a unit to the tens in front of it."""
    if pieces and pieces[-1] in range(20, 100, 10) and 0 < number < 10:  # noqa: PLR2004
        pieces[-1] += number
    elif pieces and pieces[-1] == 0:  # "twenty oh eight"
        pieces[-1] = number
    else:
        pieces.append(number)


def year(number: int, *, thousand: bool) -> str:
    """Words of a year; ``thousand``: "two thousand fourteen" rather than "twenty fourteen"."""
    century, rest = divmod(number, 100)
    if century % 10 == 0 and (thousand or rest < 10):  # noqa: PLR2004 (no "twenty five" for 2005)
        front = f"{cardinal(century // 10)} thousand"
        return f"{front} {cardinal(rest)}" if rest else front
    return f"{cardinal(century)} {cardinal(rest)}" if rest else f"{cardinal(century)} hundred"
