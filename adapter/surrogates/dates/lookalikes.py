"""Text that looks like a date but is not: blood pressures, versions, diagnosis codes, "may".

The words are those of the languages' calendars (`adapter.languages.calendar`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from regex import Pattern

    from adapter.languages import Words

_PRESSURE = re.compile(r"(?P<upper>[0-9]{2,3})/(?P<lower>[0-9]{2,3})", re.ASCII)
_SURE = re.compile(
    r"[0-9](?:\.[0-9]{1,2}){2,3}(?:-[a-z0-9]+)?"  # 2.5.1
    r"|[A-TV-Z][0-9][0-9AB](?:\.[0-9A-Z]{1,4})?",  # ICD-10-CM, capitals only
    re.ASCII,
)
_WORDS = re.compile(r"[^\W\d_]+")
BESIDE = 24
"""Characters beside a mention that are searched for another meaning of a word."""
_LAST_DAY = 31
_UPPERS, _LOWERS = range(50, 300), range(20, 200)
"""Systolic and diastolic blood pressures, mmHg."""


def is_measure(text: str) -> bool:
    """Whether a text that is not readable as a date is certainly a measurement or a code.

    Call only for text in no layout of a date: 5/10 may be a score, but also a day.
    """
    return _is_pressure(text) or _SURE.fullmatch(text) is not None


def _is_pressure(text: str) -> bool:
    found = _PRESSURE.fullmatch(text)
    if found is None:
        return False
    upper, lower = int(found["upper"]), int(found["lower"])
    return upper > lower and upper > _LAST_DAY and upper in _UPPERS and lower in _LOWERS


def is_word(text: str, before: str, behind: str, words: Words) -> bool:
    """Whether a lone word certainly has another meaning: "fall" as an injury, "may" as a verb.

    ``before`` and ``behind`` are the `BESIDE` characters around it.
    """
    only_behind, never_before = _meanings(words)
    word = text.lower()
    if word in only_behind:
        return only_behind[word].search(before) is None
    return word in never_before and never_before[word].match(behind) is not None


def only_weekdays(folded: str, words: Words, language: str) -> bool:
    """Whether a text consists of weekdays and connecting words: "Mon-Fri", "Tues and Thurs"."""
    parts = _WORDS.findall(folded)
    days = [words.index_of(part, "weekday", language) is not None for part in parts]
    small = all(day or part in words.fillers for day, part in zip(days, parts, strict=True))
    return any(days) and small and not any(map(str.isdigit, folded))


@lru_cache(maxsize=8)
def _meanings(words: Words) -> tuple[dict[str, Pattern[str]], dict[str, Pattern[str]]]:
    """Return the words of all languages with two meanings, and what tells them; memoised."""
    calendars = tuple(words.calendars.values())[::-1]
    return (
        {word: found for each in calendars for word, found in each.only_behind.items()},
        {word: found for each in calendars for word, found in each.never_before.items()},
    )
