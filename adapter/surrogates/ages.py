"""Ages: up to 89 they stay, above they are 90 or older (45 CFR 164.514(b)(2)(i)(C))."""

from __future__ import annotations

import re

from adapter.folding import fold
from adapter.surrogates import spelled
from adapter.surrogates.dates import OLDEST

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_ORDINAL = re.compile(r"(?<=[0-9])(?:st|nd|rd|th)", re.IGNORECASE)
_WORD = re.compile(r"[a-z]+")
_SHORT_UNIT = re.compile(
    r"[\s-]*(?:days?|weeks?|wks?|months?|mos?|m/o|d/o|hours?|hrs?|minutes?)\b", re.IGNORECASE
)
_ATTACHED = re.compile(
    r"[0-9.]+ ?(?:[dwmh]|days?|weeks?|wks?|months?|mos?|m/o|d/o|hrs?)(?:/?o)?", re.IGNORECASE
)
_NUMERIC = frozenset(
    {"NM", "SN", "integer", "decimal", "positiveInt", "unsignedInt", "Age.value", "Quantity.value"}
)
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
_YEARS = re.compile(r"\s+(?:a[nñ]os?|anios?)$", re.IGNORECASE)


def age(text: str, behind: str = "", datatype: str = "") -> str:
    """The age as it may be said; ``behind`` is the text that follows it, for its unit.

    Numbers over 89 become "90+" ("90" in a numeric field); what cannot be read becomes "[age]".
    """
    if _SHORT_UNIT.match(behind) or _is_short(text):
        return text
    if _NUMBER.search(text):
        oldest = str(OLDEST + 1) + ("" if datatype in _NUMERIC else "+")
        capped = _NUMBER.sub(lambda m: oldest if float(m[0]) > OLDEST else m[0], text)
        return text if capped == text else _ORDINAL.sub("", capped).replace("+th", "+")
    return _in_words(text)


def _is_short(text: str) -> bool:
    """Whether text is an age of days, weeks or months ("14d", "18 months")."""
    return _ATTACHED.fullmatch(text) is not None


def _in_words(text: str) -> str:
    words = _WORD.findall(fold(text))
    if person := _PERSON.match(fold(text)):
        return f"90+-year-old{person[1]}"
    if _ELSEWHERE.search(fold(text)):
        years = _YEARS.search(text)
        return f"90+{years[0] if years else ''}"
    if _OLDER.search(fold(text)):
        return "90 or older"
    numbers = [w for w in words if w in spelled.CARDINALS or w in spelled.ORDINALS]
    value = spelled.value([w for w in words if w in spelled.CARDINALS])
    if numbers and value is not None and value > OLDEST:
        return "90 or older"
    known = all(w in _STAGES or w in spelled.CARDINALS or w in spelled.ORDINALS for w in words)
    ninetieth = any(w.startswith("ninet") and w != "nineteen" for w in words)
    return "90 or older" if ninetieth else text if known and words else "[age]"
