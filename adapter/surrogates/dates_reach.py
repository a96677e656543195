"""How far a mention of a date reaches when it is written anew.

What taggers mark is what annotators mark: the date. What moves, or goes, with it stands beside it:
the weekday before a date, an offset from UTC behind a time of day, a time of day where only years
may stay. Mentions of one range or list lend each other months and years.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import regex

from adapter.folding import fold
from adapter.surrogates import dates_zones
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.languages import Words
    from adapter.surrogates.dates_changes import Custom

ZONE, ALONE = "dates.zone", "dates.alone"
"""Sources of the spans that are added."""
_BESIDE = 40
"""Characters before and behind a mention in which a time of day stands."""
_RUN = 200
"""Characters of mentions that are read together."""

_FRACTION = regex.compile(r",?[ ]?[-(]?[ ]?[0-9]{1,2}/[0-9]{1,2}(?:/[0-9]{2,4})?(?![0-9/%])")
_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])"
_NEVER = "(?!)"


@dataclass(frozen=True, slots=True)
class _Beside:
    """What stands beside dates, in the words of all languages; before it in each by its own."""

    time_behind: regex.Pattern[str]
    time_before: regex.Pattern[str]
    holiday_before: regex.Pattern[str]
    holiday_behind: regex.Pattern[str]
    holiday: regex.Pattern[str]
    day_before: regex.Pattern[str]
    day_of_month: regex.Pattern[str]
    weekday_before: Mapping[str, regex.Pattern[str]]
    alone: Mapping[str, regex.Pattern[str]]
    """Weekdays and holidays that move though rules leave them out, as annotators do."""
    between: regex.Pattern[str]

    def of_weekdays(self, language: str) -> regex.Pattern[str]:
        """The weekday before a date, in the words of a language."""
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
        rf"(?:[ ]?(?:(?-i:{dates_zones.NAMES})|z\b)(?:[ ]?[+-][0-9]{{1,2}}(?::?[0-5][0-9])?)?"
        r"|[ ]?[+-](?:0[0-9]|1[0-4]):?[0-5][0-9](?![0-9:]))?"
    )
    return rf"(?:{'|'.join(clock)})(?:[ ]?{hours}\b)?{zone}"


@lru_cache(maxsize=8)
def _beside(words: Words) -> _Beside:
    """The patterns of what stands beside dates; a memo of a pure function."""
    time, at, on = _time(words), words.said("at"), words.said("on")
    before = rf"(?:(?:{words.said('articles')}|{on})[ ]){{0,2}}\Z"
    holidays = "|".join(map(regex.escape, sorted(words.holidays, key=len, reverse=True)))
    seasons = "|".join((*words.patterns("seasons_before"), _NEVER))
    between, listed = words.said("between"), words.said("listed")
    articles = words.said("articles")
    either = {
        code: rf"\b(?:{words.own(code, 'weekdays_before')}[.,]{{0,2}}"
        rf"|{words.own(code, 'short_weekdays_before')}[.,]{{1,2}})[ ]?{before}"
        for code in words.calendars
    }
    return _Beside(
        _compiled(rf"[ ]{{0,2}}(?:t|@|,|-|{at})?[ ]{{0,2}}{time}"),
        _compiled(rf"(?<![0-9:.]){time}[ ]{{0,2}}(?:,|-|@)?[ ]{{0,2}}{before}"),
        _compiled(rf"\b(?:{holidays}|{seasons})[,.:;]?[ ]?[-(]?[ ]?{before}"),
        _compiled(rf"[,;]?[ ]?[-(]?[ ]?(?:{holidays})\b"),
        _compiled(rf"\b(?:{holidays})\Z"),
        _compiled(
            rf"(?<![0-9/.,:%-]){_DAY}\.?(?:,[ ]{_DAY}){{0,4}}[ ]?(?:-|/|&|{listed})[ ]?"
            rf"(?:{articles}[ ])?\Z"
        ),
        _compiled(rf"{_DAY}\.?[ ]?(?:{articles}[ ])?[a-z]{{3}}"),
        {code: _compiled(pattern) for code, pattern in either.items()},
        {code: alone for code in words.calendars if (alone := _alone_in(words, code))},
        _compiled(
            rf"[ ]{{0,2}}(?:-|/|,|\(|&|{between})?[ ]{{0,2}}(?:(?:{between}|{articles})[ ]){{0,2}}"
            rf"|,[ ]{between}[ ]"
        ),
    )


def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern, regex.IGNORECASE)


def _alone_in(words: Words, code: str) -> regex.Pattern[str] | None:
    patterns = words.calendars[code].patterns.get("alone")
    return regex.compile("|".join(patterns)) if patterns else None


def reach(
    text: str, spans: Sequence[Span], custom: Custom, *, years: bool, offsets: str
) -> tuple[Span, ...]:
    """Spans of a scanned text with those of dates as far as they reach, and what is added.

    ``custom`` is how the text writes dates. ``years``: only years stay, so times of day beside
    dates go with them.
    """
    if offsets != dates_zones.KEEP:
        spans = _with(spans, _alone(text, custom))
    if any(span.label is Label.DATE for span in spans):
        spans = tuple(_widened(text, spans, custom, years=years))
    return _with(spans, _zones(text, custom.words)) if offsets != dates_zones.KEEP else tuple(spans)


def runs(text: str, spans: Iterable[Span], words: Words) -> Mapping[int, tuple[int, int]]:
    """Start of each mention of a range or list -> start and end of the whole of it."""
    found: dict[int, tuple[int, int]] = {}
    run: list[Span] = []
    for span in (*spans, None):
        if run and (span is None or not _goes_on(text, run, span, words)):
            if len(run) > 1:
                found |= {one.start: (run[0].start, run[-1].end) for one in run}
            run = []
        if span is not None and span.label is Label.DATE and span.source != ZONE:
            run.append(span)
    return found


def _goes_on(text: str, run: Sequence[Span], span: Span, words: Words) -> bool:
    return (
        span.label is Label.DATE
        and span.source != ZONE
        and span.end - run[0].start <= _RUN
        and span.entity == run[-1].entity
        and _beside(words).between.fullmatch(text, run[-1].end, span.start) is not None
    )


def _start(span: Span) -> int:
    return span.start


def _zones(text: str, words: Words) -> Iterator[Span]:
    for start, end in dates_zones.found(text, words):
        yield Span(start, end, Label.DATE, ZONE)


def _alone(text: str, custom: Custom) -> Iterator[Span]:
    if (alone := _beside(custom.words).alone.get(custom.language)) is not None:
        for match in alone.finditer(text):
            yield Span(*match.span(), Label.DATE, ALONE)


def _with(spans: Sequence[Span], added: Iterable[Span]) -> tuple[Span, ...]:
    """The spans, and of what is added what overlaps none; both are in the text's order."""
    free: list[Span] = []
    place = 0
    for span in added:
        while place < len(spans) and spans[place].end <= span.start:
            place += 1
        if place == len(spans) or spans[place].start >= span.end:
            free.append(span)
    return tuple(sorted([*spans, *free], key=_start)) if free else tuple(spans)


def _widened(text: str, spans: Sequence[Span], custom: Custom, *, years: bool) -> Iterator[Span]:
    floor = 0
    for at, span in enumerate(spans):
        wide = span
        if span.label is Label.DATE:
            ceiling = spans[at + 1].start if at + 1 < len(spans) else len(text)
            wide = _wide(text, span, (floor, ceiling), custom, years=years)
        floor = wide.end
        yield wide


def _wide(text: str, span: Span, between: tuple[int, int], custom: Custom, *, years: bool) -> Span:
    beside, start, end = _beside(custom.words), span.start, span.end
    edge, last = max(between[0], start - _BESIDE), min(between[1], end + _BESIDE)
    around = fold(text[edge:last])  # of the text's length
    if years and (behind := beside.time_behind.match(text, end, last)):
        end = behind.end()
    if feast := beside.holiday_behind.match(around, end - edge):
        end = edge + feast.end()
    elif (number := _FRACTION.match(around, end - edge)) and beside.holiday.search(
        around, 0, end - edge
    ):
        end = edge + number.end()
    if beside.day_of_month.match(around, start - edge):
        start = _back(beside.day_before, around, edge, start)
    start = _back(beside.of_weekdays(custom.language), around, edge, start)
    start = _back(beside.holiday_before, around, edge, start)
    if years:
        start = _back(beside.time_before, text[edge:last], edge, start)
    return span if (start, end) == (span.start, span.end) else replace(span, start=start, end=end)


def _back(pattern: regex.Pattern[str], around: str, edge: int, start: int) -> int:
    """Where what a pattern finds before start begins; start where it finds nothing."""
    found = pattern.search(around, 0, start - edge)
    return edge + found.start() if found else start
