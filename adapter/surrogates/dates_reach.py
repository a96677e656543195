"""How far a mention of a date reaches when it is written anew.

What taggers mark is what annotators mark: the date. What moves, or goes, with it stands beside it:
the weekday before a date, an offset from UTC behind a time of day, a time of day where only years
may stay. Mentions of one range or list lend each other months and years.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import regex

from adapter.folding import fold
from adapter.surrogates import dates_zones
from adapter.surrogates.festivals import HOLIDAYS
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

ZONE, ALONE = "dates.zone", "dates.alone"
"""Sources of the spans that are added."""
_BESIDE = 40
"""Characters before and behind a mention in which a time of day stands."""
_RUN = 200
"""Characters of mentions that are read together."""

_CLOCK = (
    (
        r"(?:[01]?[0-9]|2[0-4]):[0-5][0-9](?::[0-5][0-9](?:[.,][0-9]{1,9})?)?"
        r"(?:[ ]?[ap]\.?m\b\.?)?"
    ),
    r"(?:1[0-2]|0?[1-9])[ ]?[ap]\.?m\b\.?",
    r"(?:[01]?[0-9]|2[0-4])(?:\.[0-5][0-9])?[ ]?(?:uhr|h|hrs|hours|horas)\b",
    (
        r"(?:[01][0-9]|2[0-3])[0-5][0-9](?:[0-5][0-9](?:\.[0-9]{1,9})?)?(?![0-9])"
        r"(?![ ]?(?:m?[lg]|mcg|cc|k?cal|units?|kg|iu|u|meq|mm|cm|%)(?![a-z]))"
    ),
)
_ZONE = (
    rf"(?:[ ]?(?:(?-i:{dates_zones.NAMES})|z\b)(?:[ ]?[+-][0-9]{{1,2}}(?::?[0-5][0-9])?)?"
    r"|[ ]?[+-](?:0[0-9]|1[0-4]):?[0-5][0-9](?![0-9:]))?"
)
_TIME = rf"(?:{'|'.join(_CLOCK)})(?:[ ]?(?:uhr|hours|horas|hrs|h)\b)?{_ZONE}"
_BEHIND = regex.compile(
    rf"[ ]{{0,2}}(?:t|@|,|-|at|um|gegen|a[ ]las?|kl\.)?[ ]{{0,2}}{_TIME}", regex.IGNORECASE
)
_BEFORE = regex.compile(
    rf"(?<![0-9:.]){_TIME}[ ]{{0,2}}(?:on|el|am|of|,|-|@)?[ ]{{0,2}}(?:the[ ])?\Z", regex.IGNORECASE
)
_DAYS = {
    "en": r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?",
    "es": r"(?:lunes|martes|mi[eé]rcoles|jueves|viernes|s[aá]bados?|domingos?)",
    "de": r"(?:(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend)s?",
}
_SHORT = {
    "en": r"(?:mon|tues?|wed|thurs?|thu|fri|sat|sun)",
    "es": r"(?:lun|mar|mi[eé]|jue|vie|s[aá]b|dom)",
    "de": r"(?:mo|di|mi|do|fr|sa|so)",
}  # fmt: skip
_BEFORE_DAY = {
    code: regex.compile(
        rf"\b(?:{_DAYS[code]}[.,]{{0,2}}|{_SHORT[code]}[.,]{{1,2}})[ ]?"
        r"(?:(?:den|dem|the|el|d[ií]a)[ ]){0,2}\Z",
        regex.IGNORECASE,
    )
    for code in _DAYS
}
_FEASTS = "|".join(map(regex.escape, sorted(HOLIDAYS, key=len, reverse=True)))
_SEASONS = r"(?:fruh|spat)?(?:winter|sommer|herbst|fruhjahr|fruhling)s?"
_FEAST_BEFORE = regex.compile(
    rf"\b(?:{_FEASTS}|{_SEASONS})[,.:;]?[ ]?[-(]?[ ]?"
    r"(?:(?:el|am|on|the|den|dem|del?|ano)[ ]){0,2}\Z"
)
_FEAST_BEHIND = regex.compile(rf"[,;]?[ ]?[-(]?[ ]?(?:{_FEASTS})\b")
_FEAST = regex.compile(rf"\b(?:{_FEASTS})\Z")
_FRACTION = regex.compile(r",?[ ]?[-(]?[ ]?[0-9]{1,2}/[0-9]{1,2}(?:/[0-9]{2,4})?(?![0-9/%])")
_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])"
_DAY_BEFORE = regex.compile(
    rf"(?<![0-9/.,:%-]){_DAY}\.?(?:,[ ]{_DAY}){{0,4}}[ ]?"
    r"(?:-|/|&|al?|y|e|bis(?:[ ]zum)?|und|to|and|thru|through|until)[ ]?(?:el[ ])?\Z"
)
_DAY_OF_MONTH = regex.compile(rf"{_DAY}\.?[ ]?(?:de[ ])?[a-z]{{3}}")
_ALONE = {
    "es": regex.compile(
        rf"\b{_DAYS['es']}\b|\b(?i:navidad(?:es)?|nochebuena|nochevieja|a[nñ]o nuevo|semana santa"
        r"|(?:jueves|viernes) santo|domingo de ramos|todos los santos|reyes magos)\b"
    ),
    "de": regex.compile(
        r"\b(?:Weihnachten|Heiligabend|Silvester|Neujahr|Karfreitag|Ostern|Oster(?:sonn|mon)tag"
        r"|Pfingsten|Pfingst(?:sonn|mon)tag|Allerheiligen|Fronleichnam|Rosenmontag)\b"
        r"|\b(?:(?:Mon|Diens|Donners|Frei|Sams|Sonn)tag|Mittwoch|Sonnabend)s?\b"
        r"|\b(?:mon|diens|donners|frei|sams|sonn)tags\b|\b(?:mittwochs|sonnabends)\b"
    ),
}
"""Weekdays and holidays alone, where rules leave them out as annotators do; Spanish ones small."""
_RANGE = regex.compile(
    r"[ ]{0,2}(?:-|/|,|\(|to|thru|through|until|till|and|or|&|al?|y|hasta|bis|und|u\.)?[ ]{0,2}"
    r"(?:(?:and|the|el|den|zum|dia)[ ]){0,2}|,[ ](?:and|y|und)[ ]",
    regex.IGNORECASE,
)


def reach(
    text: str, spans: Sequence[Span], language: str, *, years: bool, offsets: str
) -> tuple[Span, ...]:
    """Spans of a scanned text with those of dates as far as they reach, and what is added.

    ``years``: only years stay, so times of day beside dates go with them.
    """
    if offsets != dates_zones.KEEP:
        spans = _with(spans, _alone(text, language))
    if any(span.label is Label.DATE for span in spans):
        spans = tuple(_widened(text, spans, language, years=years))
    return _with(spans, _zones(text)) if offsets != dates_zones.KEEP else tuple(spans)


def runs(text: str, spans: Iterable[Span]) -> Mapping[int, tuple[int, int]]:
    """Start of each mention of a range or list -> start and end of the whole of it."""
    found: dict[int, tuple[int, int]] = {}
    run: list[Span] = []
    for span in (*spans, None):
        if run and (span is None or not _goes_on(text, run, span)):
            if len(run) > 1:
                found |= {one.start: (run[0].start, run[-1].end) for one in run}
            run = []
        if span is not None and span.label is Label.DATE and span.source != ZONE:
            run.append(span)
    return found


def _goes_on(text: str, run: Sequence[Span], span: Span) -> bool:
    return (
        span.label is Label.DATE
        and span.source != ZONE
        and span.end - run[0].start <= _RUN
        and span.entity == run[-1].entity
        and _RANGE.fullmatch(text, run[-1].end, span.start) is not None
    )


def _start(span: Span) -> int:
    return span.start


def _zones(text: str) -> Iterator[Span]:
    for start, end in dates_zones.found(text):
        yield Span(start, end, Label.DATE, ZONE)


def _alone(text: str, language: str) -> Iterator[Span]:
    if (alone := _ALONE.get(language)) is not None:
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


def _widened(text: str, spans: Sequence[Span], language: str, *, years: bool) -> Iterator[Span]:
    floor = 0
    for at, span in enumerate(spans):
        wide = span
        if span.label is Label.DATE:
            ceiling = spans[at + 1].start if at + 1 < len(spans) else len(text)
            wide = _wide(text, span, (floor, ceiling), language, years=years)
        floor = wide.end
        yield wide


def _wide(text: str, span: Span, between: tuple[int, int], language: str, *, years: bool) -> Span:
    start, end = span.start, span.end
    edge, last = max(between[0], start - _BESIDE), min(between[1], end + _BESIDE)
    around = fold(text[edge:last])  # of the text's length
    if years and (behind := _BEHIND.match(text, end, last)):
        end = behind.end()
    if feast := _FEAST_BEHIND.match(around, end - edge):
        end = edge + feast.end()
    elif (number := _FRACTION.match(around, end - edge)) and _FEAST.search(around, 0, end - edge):
        end = edge + number.end()
    if _DAY_OF_MONTH.match(around, start - edge):
        start = _back(_DAY_BEFORE, around, edge, start)
    start = _back(_BEFORE_DAY.get(language, _BEFORE_DAY["en"]), around, edge, start)
    start = _back(_FEAST_BEFORE, around, edge, start)
    if years:
        start = _back(_BEFORE, text[edge:last], edge, start)
    return span if (start, end) == (span.start, span.end) else replace(span, start=start, end=end)


def _back(pattern: regex.Pattern[str], around: str, edge: int, start: int) -> int:
    """Where what a pattern finds before start begins; start where it finds nothing."""
    found = pattern.search(around, 0, start - edge)
    return edge + found.start() if found else start
