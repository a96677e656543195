"""Reading and writing of numbers in words, as dictated: days ("twenty eighth"), years, ages.

The table ``[numbers]`` of a language's file::

    units = "zero one ... nineteen"       # 0 to 19
    tens = "twenty thirty ... ninety"     # 20 to 90
    ordinals = "first second ..."         # 1 to 19
    tenths = "twentieth ... ninetieth"    # 20 to 90
    also = { oh = 0 }                     # other words of numbers
    hundred, thousand = "hundred", "thousand"
    joints = "and"                        # words between parts of a number
    suffixes = "st nd rd th"              # after the digits of an ordinal number
    day_suffixes = { "1" = "er" }         # pattern of a day's digits -> its suffix:
                                          # the first that matches, or no suffix
    rank_suffixes = { "1" = "er", ".*" = "e" }  # of quarters and weeks; if omitted, as days

Tens and units are written side by side. A language that forms its numbers otherwise gives only
suffixes, or the words with which its texts write days.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.languages.reading import folded, place, table_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_KEYS = (
    *("units", "tens", "ordinals", "tenths", "also", "hundred", "thousand", "joints"),
    *("suffixes", "day_suffixes", "rank_suffixes"),
)
_SIZES = {"units": 20, "tens": 8, "ordinals": 19, "tenths": 8}
_SCALES = {"hundred": 100, "thousand": 1000}
_DAYS = (*range(1, 21), 30)
"""Days of a month that are one word; the others begin with "twenty" or "thirty"."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """The number words of one language; all empty if the language gives none."""

    units: tuple[str, ...] = ()
    tens: tuple[str, ...] = ()
    ordinal_units: tuple[str, ...] = ()
    ordinal_tens: tuple[str, ...] = ()
    cardinals: Mapping[str, int] = field(default_factory=dict)
    """Word -> its number, below a hundred."""
    ordinals: Mapping[str, int] = field(default_factory=dict)
    """Word -> its day of a month, for days of one word."""
    scales: Mapping[str, int] = field(default_factory=dict)
    joints: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    day_suffixes: Mapping[str, str] = field(default_factory=dict)
    rank_suffixes: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, code: str, tables: Mapping[str, Any]) -> Numbers:
        """Compile the table ``[numbers]`` of a language.

        Raises:
            RuleError: a key is unknown, or there are not as many words as numbers.
        """
        table = table_of(code, tables, "numbers", _KEYS)
        rows = {key: folded(code, table.get(key, "")) for key in _SIZES}
        for key, size in _SIZES.items():
            if len(rows[key]) not in (0, size) or bool(rows[key]) != bool(rows["units"]):
                raise RuleError(place(code), f"[numbers] {key} must have {size} words")
        units, tens = rows["units"], rows["tens"]
        cardinals = {word: number for number, word in enumerate(units)}
        cardinals |= {word: 10 * number for number, word in enumerate(tens, 2)}
        if units and not _SCALES.keys() <= table.keys():
            raise RuleError(place(code), "[numbers] lacks hundred or thousand")
        days = table.get("day_suffixes", {})
        found = cls(
            units,
            tens,
            rows["ordinals"],
            rows["tenths"],
            cardinals | table.get("also", {}),
            {},
            {table[key]: size for key, size in _SCALES.items() if key in table},
            folded(code, table.get("joints", "")),
            folded(code, table.get("suffixes", "")),
            days,
            table.get("rank_suffixes", days),
        )
        days_of_one_word = {found.ordinal(day): day for day in _DAYS} if units else {}
        return replace(found, ordinals=days_of_one_word)

    def ordinal(self, number: int) -> str:
        """Return an ordinal number below a hundred in words: 28 -> "twenty eighth"."""
        if number < len(self.units):
            return self.ordinal_units[number - 1]
        tens, unit = divmod(number, 10)
        if not unit:
            return self.ordinal_tens[tens - 2]
        return f"{self.tens[tens - 2]} {self.ordinal_units[unit - 1]}"

    def cardinal(self, number: int) -> str:
        """Return a number below a hundred in words: 28 -> "twenty eight"."""
        if number < len(self.units):
            return self.units[number]
        tens, unit = divmod(number, 10)
        return f"{self.tens[tens - 2]} {self.units[unit]}" if unit else self.tens[tens - 2]

    def value(self, words: Sequence[str]) -> int | None:
        """Return the number that words spell ("nineteen eighty four"), or None if they do not."""
        pieces: list[int] = []
        for word in words:
            if word in self.scales:
                pieces[-1:] = [(pieces[-1] if pieces else 1) * self.scales[word]]
            elif word in self.cardinals:
                _add(pieces, self.cardinals[word])
            elif word not in self.joints:
                return None
        if len(pieces) == 2 and pieces[0] < 100:  # noqa: PLR2004 (century and year)
            return pieces[0] * 100 + pieces[1]
        if len(pieces) > 2 and max(pieces) < 100:  # noqa: PLR2004 (month, day and year)
            return None
        return sum(pieces) if pieces else None

    def year(self, number: int, *, like: str = "") -> str:
        """Return a year in words, with "thousand" if the words in ``like`` have it."""
        hundred, thousand = (
            next(word for word, size in self.scales.items() if size == scale)
            for scale in (100, 1000)
        )
        century, rest = divmod(number, 100)
        if century % 10 == 0 and (thousand in like or rest < 10):  # noqa: PLR2004 (2005)
            front = f"{self.cardinal(century // 10)} {thousand}"
            return f"{front} {self.cardinal(rest)}" if rest else front
        end = self.cardinal(rest) if rest else hundred
        return f"{self.cardinal(century)} {end}"

    def suffix(self, number: int, *, rank: bool = False) -> str:
        """Return the suffix of an ordinal number's digits ("st" for 1, "th" for 12), or ""."""
        suffixes = self.rank_suffixes if rank else self.day_suffixes
        written = str(number)
        return next((end for digits, end in suffixes.items() if re.fullmatch(digits, written)), "")


def _add(pieces: list[int], number: int) -> None:
    """Append a number to pieces; a unit is added to the tens before it."""
    if pieces and pieces[-1] in range(20, 100, 10) and 0 < number < 10:  # noqa: PLR2004
        pieces[-1] += number
    elif pieces and pieces[-1] == 0:  # "twenty oh eight"
        pieces[-1] = number
    else:
        pieces.append(number)
