"""The extent of a date mention that must be rewritten.

Taggers mark only the date, as annotators do. Adjacent text must move or go with the date: the
weekday before it, a UTC offset after a time of day, a time of day where only years may stay.
The mentions of one range or list take missing months and years from each other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold
from adapter.surrogates.dates import beside as dates_beside
from adapter.surrogates.dates import time_zones
from adapter.surrogates.dates.around import around
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.languages import Words
    from adapter.surrogates.dates.written.rewrite import Custom

ZONE, ALONE = "dates.zone", "dates.alone"
"""Sources of the spans that this module adds: time zones; weekdays and holidays."""
_BESIDE = 60
"""Characters before and after a mention that are searched for times of day and days."""
_FEW = 3
"""Most other mentions that one date may include: its year, a time of day that looks like one."""
_RUN = 200
"""Most characters of a range or list whose mentions are read together."""

_FRACTION = regex.compile(r",?[ ]?[-(]?[ ]?[0-9]{1,2}/[0-9]{1,2}(?:/[0-9]{2,4})?(?![0-9/%])")


def reach(
    text: str, spans: Sequence[Span], custom: Custom, *, years: bool, offsets: str
) -> tuple[Span, ...]:
    """Return the spans of a scanned text with dates extended, and with added spans.

    ``custom`` describes how the text writes dates. With ``years``, only years stay, so that times
    of day beside dates are removed too. ``offsets`` is the treatment of UTC offsets.
    """
    if offsets != time_zones.KEEP:
        spans = _with(spans, _alone(text, custom))
    if any(span.label is Label.DATE for span in spans):
        spans = tuple(_widened(text, spans, custom, years=years))
    return _with(spans, _zones(text, custom.words)) if offsets != time_zones.KEEP else tuple(spans)


def runs(text: str, spans: Iterable[Span], words: Words) -> Mapping[int, tuple[int, int]]:
    """Map the start of each mention in a range or list to the extent (start, end) of the whole."""
    found: dict[int, tuple[int, int]] = {}
    run: list[Span] = []
    for span in (*(span for span in spans if span.source != ZONE), None):
        if run and (span is None or not _goes_on(text, run, span, words)):
            if len(run) > 1:
                found |= {one.start: (run[0].start, run[-1].end) for one in run}
            run = []
        if span is not None and span.label is Label.DATE:
            run.append(span)
    return found


def _goes_on(text: str, run: Sequence[Span], span: Span, words: Words) -> bool:
    return (
        span.label is Label.DATE
        and span.end - run[0].start <= _RUN
        and span.entity == run[-1].entity
        and around(words).between.fullmatch(text, run[-1].end, span.start) is not None
    )


def _start(span: Span) -> int:
    return span.start


def _zones(text: str, words: Words) -> Iterator[Span]:
    for start, end in time_zones.found(text, words):
        yield Span(start, end, Label.DATE, ZONE)


def _alone(text: str, custom: Custom) -> Iterator[Span]:
    if (alone := around(custom.words).alone.get(custom.language)) is not None:
        for match in alone.finditer(text):
            yield Span(*match.span(), Label.DATE, ALONE)


def _with(spans: Sequence[Span], added: Iterable[Span]) -> tuple[Span, ...]:
    """Merge those ``added`` spans that overlap no span into the spans; both are in text order."""
    free: list[Span] = []
    place = 0
    for span in added:
        while place < len(spans) and spans[place].end <= span.start:
            place += 1
        if place == len(spans) or spans[place].start >= span.end:
            free.append(span)
    return tuple(sorted([*spans, *free], key=_start)) if free else tuple(spans)


def _widened(text: str, spans: Sequence[Span], custom: Custom, *, years: bool) -> Iterator[Span]:
    """Yield the spans, with dates extended over text that belongs to them, even other dates."""
    floor = 0
    for at, span in enumerate(spans):
        if span.end <= floor:
            continue
        wide = span if span.start >= floor else replace(span, start=floor)
        if span.label is Label.DATE:
            ceiling = spans[at + 1].start if at + 1 < len(spans) else len(text)
            between = floor, ceiling, _ceiling(text, spans, at)
            wide = _wide(text, wide, between, custom, years=years)
        floor = wide.end
        yield wide


def _ceiling(text: str, spans: Sequence[Span], at: int) -> int:
    """Return the start of the next span that is not a date; a date may extend over a few dates."""
    for other in spans[at + 1 : at + 1 + _FEW]:
        if other.label is not Label.DATE:
            return other.start
    return spans[at + 1 + _FEW].start if at + 1 + _FEW < len(spans) else len(text)


def _wide(
    text: str, span: Span, between: tuple[int, int, int], custom: Custom, *, years: bool
) -> Span:
    """Extend a date; ``between``: previous span's end, next span's start, next non-date's start."""
    beside, start, end = around(custom.words), span.start, span.end
    edge, last = max(between[0], start - _BESIDE), min(between[2], end + _BESIDE)
    near = fold(text[edge:last])  # fold keeps the length
    end = edge + dates_beside.last(near, start - edge, end - edge, custom.words)
    plain = _plain(text[edge:last]) if years else ""
    if behind := beside.time_behind.match(plain, end - edge):
        end = edge + behind.end()
    ceiling = between[1] - edge
    if holiday := beside.holiday_behind.match(near, end - edge, ceiling):
        end = edge + holiday.end()
    elif beside.holiday.start(near, end - edge) < end - edge:
        number = _FRACTION.match(near, end - edge, ceiling)
        end = edge + number.end() if number else end
    start = edge + dates_beside.first(near, start - edge, custom.words)
    start = edge + beside.of_weekdays(custom.language).start(near, start - edge)
    start = edge + beside.holiday_before.start(near, start - edge)
    start = edge + beside.time_before.start(plain, start - edge)
    return span if (start, end) == (span.start, span.end) else replace(span, start=start, end=end)


def _plain(text: str) -> str:
    """Fold non-ASCII characters only, which keeps capitals: time zone names are in capitals."""
    return text if text.isascii() else "".join(c if c.isascii() else fold(c) for c in text)
