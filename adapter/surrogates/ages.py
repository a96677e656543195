"""Ages: up to 89 they stay, above they are 90 or older (45 CFR 164.514(b)(2)(i)(C))."""

from __future__ import annotations

import re

from adapter.folding import fold
from adapter.surrogates import spelled
from adapter.surrogates.dates import OLDEST

_NUMBER = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?")
_ORDINAL = re.compile(r"(?<=[0-9])(?:st|nd|rd|th)", re.IGNORECASE)
_APART = re.compile(r"9[ -][0-9]|1[ -][0-2][ -][0-9]")
_DECADE = re.compile(r"dec(?:ade|ad|enn)|jahrzehnt|dekade")
_ROMAN = re.compile(r"(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3})")
_WORD = re.compile(r"[a-z]+")
_DAYS, _WEEKS, _MONTHS, _HOURS, _MINUTES = 32_873, 4_696, 1_080, 788_940, 47_336_400
_UNITS = (
    (r"d/o|d(?:ay|ia)s?|tage?n?", _DAYS),
    (r"w/o|w(?:ee)?ks?|semanas?|wochen?", _WEEKS),
    (r"m/o|mos?|mths?|months?|mes(?:es)?|monate?n?", _MONTHS),
    (r"h(?:ou)?rs?|horas?|stunden?", _HOURS),
    (r"min(?:ute)?[sn]?|minutos?", _MINUTES),
)
"""Units that are shorter than years, and how many of them ninety years are, as folded text."""
_SHORT_UNIT = re.compile(
    r"[\s-]*(?:" + "|".join(f"({unit})" for unit, _ in _UNITS) + r")(?:/?o)?(?![a-z])"
)
_LETTER = re.compile(r" ?([dwmhDWH])/?o?$")
"""A unit of one letter ends the mention itself; behind it "M" is a sex."""
_OF_LETTER = {"d": _DAYS, "w": _WEEKS, "m": _MONTHS, "h": _HOURS}
_NUMERIC = frozenset(
    {"NM", "SN", "integer", "decimal", "positiveInt", "unsignedInt", "Age.value", "Quantity.value"}
)
_YEARS_LIVED = 130
"""Years that nobody has lived: a greater number is of a shorter unit."""
_STAGES = frozenset(
    "neonate newborn infant baby toddler child teen teens teenage teenager adolescent youth young"
    " preteen tween adult middle aged mid early late old elderly geriatric senior seniors"
    " retirement twenties thirties forties fifties sixties seventies eighties"
    " sexagenarian quinquagenarian septuagenarian octogenarian"
    " year years yo yr yrs y s th st nd rd in his her their the of"
    " month months week weeks day days mo wk and a half man woman boy girl male female m f to or"
    " about around approximately almost nearly over under since age".split()
)
_OLDER = re.compile(r"\b(?:nonagenarian|centenarian|supercentenarian|nineties|hundred)s?\b")
_PERSON = re.compile(r"^(?:nonagen|(?:super)?centen)arian(s?)$")
_ELSEWHERE = re.compile(
    r"neunzig|hundert|noventa|nonagenari|centenari|zentenar|\bcien(?:to)?\b|\bcentesim|nonagesim"
)
_AFTER_WORD = re.compile(r"\s+(?:a[nñ]os?|anios?)$|-?j[aä]hrig\w{0,2}$", re.IGNORECASE)


def age(text: str, behind: str = "", datatype: str = "") -> str:
    """The age as it may be said; ``behind`` is the text that follows it, for its unit.

    Numbers over 89 years become "90+", and "1080+" in months ("90" and "1080" in a numeric field);
    what cannot be read becomes "[age]".
    """
    if _APART.fullmatch(text):
        text = re.sub(r"[ -]", "", text)
    if _DECADE.search(fold(text)):
        return f"{OLDEST + 1}+"
    if not _NUMBER.search(text):
        return _in_words(text, behind)
    more = "" if datatype in _NUMERIC else "+"
    capped = _NUMBER.sub(lambda found: _capped(found, text, behind, more), text)
    return text if capped == text else _ORDINAL.sub("", capped).replace("+th", "+")


def _capped(found: re.Match[str], text: str, behind: str, more: str) -> str:
    """One number of a text, at most ninety years of its unit."""
    number = float(found[0].replace(",", ""))
    rest = text[found.end() :]
    letter = _LETTER.match(rest)
    oldest = _OF_LETTER[fold(letter[1])] if letter else _ninety_years(number, fold(rest + behind))
    over = number > OLDEST if oldest == OLDEST + 1 else number >= oldest
    return f"{oldest}{more}" if over else found[0]


def _ninety_years(number: float, behind: str) -> int:
    """Ninety years in the unit behind a number; without one, in that which its size tells."""
    unit = _SHORT_UNIT.match(behind)
    if unit is not None:
        return _UNITS[(unit.lastindex or 1) - 1][1]
    sizes = (_MONTHS, _WEEKS, _DAYS, _HOURS, _MINUTES)
    longest = _YEARS_LIVED / (OLDEST + 1)
    return next((size for size in sizes if size <= number < size * longest), OLDEST + 1)


def _in_words(text: str, behind: str) -> str:
    plain = fold(text)
    if _SHORT_UNIT.match(fold(behind)):
        return text
    words = _WORD.findall(plain)
    if person := _PERSON.match(plain):
        return f"90+-year-old{person[1]}"
    if _ELSEWHERE.search(plain):
        after = _AFTER_WORD.search(text)
        return f"90+{after[0] if after else ''}".replace("90+j", "90+-j")
    if _OLDER.search(plain):
        return "90 or older"
    numbers = [w for w in words if w in spelled.CARDINALS or w in spelled.ORDINALS]
    value = spelled.value([w for w in words if w in spelled.CARDINALS])
    if numbers and value is not None and value > OLDEST:
        return "90 or older"
    known = all(w in _STAGES or w in spelled.CARDINALS or w in spelled.ORDINALS for w in words)
    ninetieth = any(w.startswith("ninet") and w != "nineteen" for w in words)
    old = ninetieth or "hundredth" in words or (text.isupper() and _ROMAN.fullmatch(plain))
    return "90 or older" if old else text if known and words else "[age]"
