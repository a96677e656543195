"""Ages: up to 89 they stay, older ones become 90 (45 CFR 164.514(b)(2)(i)(C))."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from adapter.languages.ages import UNITS
from adapter.languages.reading import either
from adapter.normalize.folding import fold
from adapter.surrogates.dates.shift import OLDEST

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.languages import Words

_NUMBER = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?")
_APART = re.compile(r"9[ -][0-9]|1[ -][0-2][ -][0-9]")
_ROMAN = re.compile(r"(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})")
_WORD = re.compile(r"[a-z]+")
_NINETY = dict(zip(UNITS, (32_873, 4_696, 1_080, 788_940, 47_336_400), strict=True))
"""Unit -> ninety years in that unit."""
_SIZES = tuple(_NINETY[unit] for unit in ("months", "weeks", "days", "hours", "minutes"))
_NUMERIC = frozenset(
    {
        "NM",
        "SN",
        "SN.1",
        "SN.2",
        "SN.3",
        "SN.4",
        "NR.1",
        "NR.2",
        "integer",
        "decimal",
        "positiveInt",
        "unsignedInt",
        "Age.value",
        "Quantity.value",
    }
)
_CDA = "cda"
"""Datatype of all values of CDA documents, where a number alone may be that of an attribute."""
_YEARS_LIVED = 130
"""An age in years that nobody has reached: a greater number must be in a shorter unit."""


class _Units(NamedTuple):
    """Patterns of the words in ages; all but ``letter`` match folded text."""

    letter: re.Pattern[str]
    """A one-letter unit at the end of the mention itself; an "M" after the mention is a sex."""
    of_letter: Mapping[str, int]
    short: re.Pattern[str]
    """A unit other than years after a number, with a group for each of `UNITS`."""
    decade: re.Pattern[str]
    behind: re.Pattern[str]
    """Text that stays after an age in words."""
    ordinal: re.Pattern[str]


@lru_cache(maxsize=8)
def _units(words: Words) -> _Units:
    """Return the patterns of the words of ages; memoised."""
    own = words.ages
    letters = either(own.letters)
    short = "|".join(f"({either(own.units[unit])})" for unit in UNITS)
    return _Units(
        re.compile(rf" ?({letters})/?o?$"),
        {letter: _NINETY[unit] for letter, unit in own.letters.items()},
        re.compile(rf"[\s-]*(?:{short})(?:/?o)?(?![a-z])"),
        re.compile("|".join(own.decades) or "(?!)"),
        re.compile("|".join(f"(?:{pattern})$" for pattern in own.behind) or "(?!)"),
        re.compile(rf"(?:(?<=[0-9])|(?<=\+)){either(words.counting('').suffixes)}", re.IGNORECASE),
    )


def age(text: str, words: Words, behind: str = "", datatype: str = "") -> str:
    """Return an age in releasable form; ``behind`` is the text after it, which may name its unit.

    Ages over 89 years become "90+", or "1080+" in months ("90" and "1080" in a numeric field); an
    age that cannot be read becomes "[age]".
    """
    units = _units(words)
    if _APART.fullmatch(text):
        text = re.sub(r"[ -]", "", text)
    if units.decade.search(fold(text)):
        return f"{OLDEST + 1}+"
    if not _NUMBER.search(text):
        return _in_words(text, behind, words)
    more = "" if datatype in _NUMERIC or (datatype == _CDA and _NUMBER.fullmatch(text)) else "+"
    capped = _NUMBER.sub(lambda found: _capped(found, behind, more, units), text)
    if capped == text:
        return text
    capped = units.ordinal.sub("", capped).replace("++", "+")
    return capped.removesuffix("+") if behind.startswith("+") else capped


def _capped(found: re.Match[str], behind: str, more: str, units: _Units) -> str:
    """Return one number of a text, capped at ninety years in its unit."""
    number = float(found[0].replace(",", ""))
    rest = found.string[found.end() :]
    letter = units.letter.match(rest)
    oldest = (
        units.of_letter[letter[1]] if letter else _ninety_years(number, fold(rest + behind), units)
    )
    over = number > OLDEST if oldest == OLDEST + 1 else number >= oldest
    return f"{oldest}{more}" if over else found[0]


def _ninety_years(number: float, behind: str, units: _Units) -> int:
    """Return ninety years in the unit after a number, or in the unit that its size suggests."""
    unit = units.short.match(behind)
    if unit is not None:
        return _NINETY[UNITS[(unit.lastindex or 1) - 1]]
    longest = _YEARS_LIVED / (OLDEST + 1)
    return next((size for size in _SIZES if size <= number < size * longest), OLDEST + 1)


def _in_words(text: str, behind: str, words: Words) -> str:
    plain, units = fold(text), _units(words)
    if units.short.match(fold(behind)):
        return text
    for pattern, new in words.ages.older:
        if re.search(pattern, plain):
            after = units.behind.search(plain)
            rest = text[after.start() :] if after else ""
            return f"{new}-{rest}" if rest[:1].isalpha() else new + rest
    found = _WORD.findall(plain)
    counting = words.counting("")
    value = counting.value([word for word in found if word in counting.cardinals])
    if (value or 0) > OLDEST or (text.isupper() and _ROMAN.fullmatch(plain)):
        return "90 or older"
    known = words.ages.stages | counting.cardinals.keys() | counting.ordinals.keys()
    return text if found and known.issuperset(found) else "[age]"
