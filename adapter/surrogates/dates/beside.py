"""Days beside a date that share its month: ranges, lists, days in words.

A tagger may mark only the month and year of "the seventeenth of November 2023", or only the last
date of "17, 19 and 21 November". The other days would then stay when the month moves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from adapter.languages.reading import either
from adapter.surrogates.dates.ending import Ending

if TYPE_CHECKING:
    from adapter.languages import Words

CLOCKED = (
    r"(?:[01]?[0-9]|2[0-4]):[0-5][0-9](?::[0-5][0-9])?(?:[ ][ap]\.?m\.?)?"
    r"(?:[ ](?:[a-z]{1,5}|(?:utc|gmt)?[+-][0-9]{2}:?[0-9]{2}))?"
)
"""A time of day between a day and its year, as C's asctime writes (ISO/IEC 9899:2018, 7.27.3.1)."""
_YEAR_BEHIND = regex.compile(rf"[ ]{CLOCKED}[ ](?:19|20)[0-9]{{2}}(?![0-9]|[.,:/-][0-9])")
_NUMBER = r"(?:0?[1-9]|[12][0-9]|3[01])"
_EDGE = r"(?<![0-9/.,:%$+-]|\p{L})"
_NO_VALUE = (
    r"(?![0-9:%/]|\.[0-9]|[ ]?[ap]\.?m\b)"
    r"(?![ ]?(?:m?g|mcg|m?l|cc|units?|mm|cm|kg|hours?|hrs?|h)\b)"
)


@dataclass(frozen=True, slots=True)
class _Beside:
    """Patterns of days that share a month, in the words of all languages."""

    month: regex.Pattern[str]
    dated: regex.Pattern[str]
    """A day and the first letters of its month."""
    of_month: Ending
    """The days before a month."""
    listed: Ending
    """The first days of a range or list, with the separator before its last day."""
    ends_with_day: Ending
    behind: regex.Pattern[str]
    """The last day of a range."""


@lru_cache(maxsize=8)
def _beside(words: Words) -> _Beside:
    """Return the patterns of days beside dates; memoised."""
    months = either(form for row in words.calendars.values() for form in row.months.forms)
    suffix = either(end for row in words.numbers.values() for end in row.suffixes)
    day = rf"(?:{_NUMBER}{suffix}?|(?:{'|'.join(_in_words(words))})\b)\.?"
    article = rf"(?:{words.said('articles')}[ ])?"
    joint = rf"(?:,?[ ]?[-/&][ ]?|,?[ ]{words.said('listed')}[ ]){article}"
    days = rf"(?:{day}(?:,[ ]?{day}){{0,5}}{joint}|(?:{day},){{1,5}})"
    until = rf"(?:[ ]?-[ ]?|[ ]{words.said('until')}[ ]){article}"
    of = words.said("of_month")
    return _Beside(
        regex.compile(rf"{months}\b"),
        regex.compile(rf"{day},?[ ]?(?:{of}[ ])?[./-]?\p{{L}}{{3}}"),
        Ending(rf"{_EDGE}{days}?{day},?(?:[ ]{of})?[ -]?"),
        Ending(rf"{_EDGE}{days}"),
        Ending(rf"\b{months}\b\.?[ -]?{article}{day}|(?<![0-9/])[0-9]{{1,2}}/[0-9]{{1,2}}"),
        regex.compile(
            rf"{until}{day}(?:/(?:[12][0-9]{{3}}|[0-9]{{2}}))?{_NO_VALUE}"
            rf"|{joint}{_NUMBER}{suffix}\b(?![ ]\p{{L}})"
        ),
    )


def _in_words(words: Words) -> tuple[str, ...]:
    """Return patterns of the days of a month in words: number words and special layouts."""
    counted = (
        row.ordinal(day).replace(" ", "[ -]")
        for row in words.numbers.values()
        if row.units
        for day in range(1, 32)
    )
    return (*sorted(counted, key=len, reverse=True), *words.patterns("day"), "(?!)")


def first(folded: str, start: int, words: Words) -> int:
    """Return the start of the days before a date that share its month, or ``start`` if none do.

    ``folded`` is the text around the date, which begins at ``start``.
    """
    beside = _beside(words)
    if beside.month.match(folded, start):
        start = beside.of_month.start(folded, start)
    return beside.listed.start(folded, start) if beside.dated.match(folded, start) else start


def last(folded: str, start: int, end: int, words: Words) -> int:
    """Return the end of a day or year that follows a date and belongs to it, else ``end``."""
    beside = _beside(words)
    if beside.ends_with_day.start(folded, end, start) < end:
        found = beside.behind.match(folded, end) or _YEAR_BEHIND.match(folded, end)
        return found.end() - found[0].endswith(".") if found else end
    return end
