"""Patterns of the text around a date that is rewritten with it, in the words of all languages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from adapter.surrogates.dates import time_zones
from adapter.surrogates.dates.beside import CLOCKED
from adapter.surrogates.dates.ending import Ending

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.languages import Words

_NEVER = "(?!)"


@dataclass(frozen=True, slots=True)
class Around:
    """Patterns of text around dates, in the words of all languages; weekdays by language."""

    time_behind: regex.Pattern[str]
    time_before: Ending
    holiday_before: Ending
    holiday_behind: regex.Pattern[str]
    holiday: Ending
    weekday_before: Mapping[str, Ending]
    alone: Mapping[str, regex.Pattern[str]]
    """Language -> weekdays and holidays that must move although no tagger marks them."""
    between: regex.Pattern[str]

    def of_weekdays(self, language: str) -> Ending:
        """Return the pattern of the weekday before a date, in the words of a language."""
        return self.weekday_before.get(language) or next(iter(self.weekday_before.values()))


def _time(words: Words) -> str:
    hours = words.said("hours")
    clock = (
        (
            r"(?:[01]?[0-9]|2[0-4]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?)?"
            r"(?:[ ]?[ap]\.?m\b\.?)?"
        ),
        *words.patterns("time"),
        r"(?:1[0-2]|0?[1-9])[ ]?[ap]\.?m\b\.?",
        rf"(?:[01]?[0-9]|2[0-4])(?:\.[0-5][0-9])?[ ]?{hours}\b",
        (
            r"(?:[01][0-9]|2[0-3])[0-5][0-9](?:[0-5][0-9](?:\.[0-9]{1,9})?)?(?![0-9])"
            r"(?![ ]?(?:m?[lg]|mcg|cc|k?cal|units?|kg|iu|u|meq|mm|cm|%)(?![a-z]))"
        ),
    )
    zone = (
        rf"(?:[ ]?(?:(?-i:{time_zones.NAMES})|z\b)(?:[ ]?[+-][0-9]{{1,2}}(?::?[0-5][0-9])?)?"
        r"|[ ]?[+-](?:0[0-9]|1[0-4]):?[0-5][0-9](?![0-9:]))?"
    )
    return rf"(?:{'|'.join(clock)})(?:[ ]?{hours}\b)?{zone}"


@lru_cache(maxsize=8)
def around(words: Words) -> Around:
    """Return the patterns of text around dates; memoised."""
    time, at, on = _time(words), words.said("at"), words.said("on")
    before = rf"(?:(?:{words.said('articles')}|{on})[ ]){{0,2}}"
    holidays = "|".join(map(regex.escape, sorted(words.holidays, key=len, reverse=True)))
    seasons = "|".join((*words.patterns("seasons_before"), _NEVER))
    between, articles = words.said("between"), words.said("articles")
    either = {
        code: rf"\b(?:{words.own(code, 'weekdays_before')}[.,]{{0,2}}"
        rf"|{words.own(code, 'short_weekdays_before')}[.,]{{1,2}})[ ]?{before}"
        for code in words.calendars
    }
    return Around(
        _compiled(rf"[ ]{{0,2}}(?:t|@|,|-|{at})?[ ]{{0,2}}{time}"),
        _ending(rf"(?<![0-9:.]){time}[ ]{{0,2}}(?:,|-|@)?[ ]{{0,2}}{before}"),
        _ending(rf"\b(?:{holidays}|{seasons})[,.:;]?[ ]?[-(]?[ ]?{before}"),
        _compiled(rf"[,;]?[ ]?[-(]?[ ]?(?:{holidays})\b"),
        _ending(rf"\b(?:{holidays})"),
        {code: _ending(pattern) for code, pattern in either.items()},
        {code: alone for code in words.calendars if (alone := _alone_in(words, code))},
        _compiled(
            rf"[ ]{{0,2}}(?:-|/|,|\(|&|{between})?[ ]{{0,2}}(?:(?:{between}|{articles})[ ]){{0,2}}"
            rf"|,[ ]{between}[ ]|[ ]{CLOCKED}[ ]"
        ),
    )


def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern, regex.IGNORECASE)


def _ending(pattern: str) -> Ending:
    return Ending(pattern, regex.IGNORECASE)


def _alone_in(words: Words, code: str) -> regex.Pattern[str] | None:
    patterns = words.calendars[code].patterns.get("alone")
    return regex.compile("|".join(patterns)) if patterns else None
