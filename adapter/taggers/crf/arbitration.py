"""Arbitration between spans of rules and learned spans of the same text.

Rules of sufficient priority are certain and are kept beside the learned spans; other rules only
contribute features. Where a certain rule overlaps a learned span, the learned extent wins, unless
that would uncover a digit or part of a word: rules know numbers best, the model knows the extent
of names best. It has the greater score of both. For the same reason a learned date is cut before a
time of day ("12/28" is the date in "signed12/280610", "2024-03-14" in "2024-03-14T10:15"), a date
that a rule has read is not split, and where a rule states the end of its mention, a learned one is
cut before text joined to it. A mention that a title, kinship or the name of a number introduces is
kept whole under any model: coverage never shrinks.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

import regex

from adapter.priorities import TRUSTED, Cutting, outranks
from adapter.types import Label, Span, Veto

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

T = TypeVar("T", Span, Veto)

_TIME = regex.compile(
    r"(?:[Tt][0-2][0-9]|_?[0-2]?[0-9]:?[0-5][0-9])(?::?[0-5][0-9]){0,2}(?:[.,][0-9]+)?"
    r"(?:[Zz]|[+-][0-9:]{2,6})?"
)
"""A time of day as machines write it directly after a date (ISO 8601-1, 5.3 and 5.4)."""
_ENDING = regex.compile(r"\.\p{L}[\p{L}\p{N}]{0,4}(?![\p{L}\p{N}])")
"""The ending of a file's name, which may be joined to a mention whose end a rule states."""


def arbitrated(
    text: str, found: Iterable[Span | Veto], learned: Sequence[Span], sure: int
) -> list[Span | Veto]:
    """Return ``learned``, and the vetoes and certain spans of ``found`` that it does not replace.

    A span is certain if it is marked as sure or has at least the priority ``sure``.
    """
    found = list(found)
    certain = [
        item
        for item in found
        if not isinstance(item, Veto) and (item.sure or item.priority >= sure)
    ]
    telling = [item for item in certain if item.exact or item.label is Label.DATE]
    vetoes = _covering((item for item in found if isinstance(item, Veto)), telling)
    lasting = [item for item in telling if not _is_vetoed(item, vetoes[item.start])]
    dates = [item for item in lasting if item.label is Label.DATE and item.priority < TRUSTED]
    learned = _fitted(text, learned, _covering(dates, learned), _endings(text, lasting))
    covered = _covered(text, learned, [item for item in found if isinstance(item, Veto)])
    over = _covering(learned, dates)
    apart = {id(item) for item in dates if not _in_one(item, over[item.start])}
    standing = {id(i) for i in certain if id(i) in apart or not _yields(text, i, covered)}
    yielded = [item for item in certain if id(item) not in standing]
    if yielded:
        learned = _supported(learned, yielded, [i for i in found if isinstance(i, Veto)])
    stands = (item for item in found if isinstance(item, Veto) or id(item) in standing)
    return [*stands, *learned]


def _covered(text: str, learned: Sequence[Span], vetoes: Iterable[Veto]) -> bytearray:
    """Mark the characters of learned spans; what a veto will remove or cut off replaces nothing."""
    vetoes = list(vetoes)
    over = _covering(vetoes, learned)
    cutting = Cutting(sorted(vetoes, key=attrgetter("start")))
    covered = bytearray(len(text))
    for span in learned:
        if not _is_vetoed(span, over[span.start]):
            start, end = _uncut(span, cutting.near(span))
            covered[start:end] = b"\1" * (end - start)
    return covered


def _uncut(span: Span, vetoes: Iterable[Veto]) -> tuple[int, int]:
    """Return the extent of a learned span without the edges that vetoes cut off."""
    start, end = span.start, span.end
    for veto in vetoes:
        if outranks(veto, span):
            if start < veto.start < end <= veto.end:
                end = veto.start
            elif veto.start <= start < veto.end < end:
                start = veto.end
    return start, end


def _supported(
    learned: Iterable[Span], yielded: Sequence[Span], vetoes: Iterable[Veto]
) -> list[Span]:
    """Return learned spans; one that replaces a span that stands is as certain as that is."""
    over = _covering(vetoes, yielded)
    rules = [item for item in yielded if not _is_vetoed(item, over[item.start])]
    return [_as_certain(span, rules) for span in learned]


def _as_certain(span: Span, rules: Iterable[Span]) -> Span:
    """Return a span with the greatest score of it and the rules' spans that it overlaps.

    It is sure if one of them with its label is.
    """
    within = [item for item in rules if item.start < span.end and span.start < item.end]
    if not within:
        return span
    score = max(item.score for item in within)
    sure = any(item.sure and item.label is span.label for item in within)
    return replace(span, score=max(span.score, score), sure=span.sure or sure)


def _covering(items: Iterable[T], spans: Iterable[Span]) -> dict[int, list[T]]:
    """Return the items that cover the first character of each span, by that character's place."""
    starts = sorted({span.start for span in spans})
    found: dict[int, list[T]] = {start: [] for start in starts}
    for item in items if starts else ():
        for start in starts[bisect_left(starts, item.start) : bisect_left(starts, item.end)]:
            found[start].append(item)
    return found


def _is_vetoed(span: Span, vetoes: Iterable[Veto]) -> bool:
    """Whether a veto removes a rule's span, so that it does not limit learned spans either."""
    return any(span.end <= veto.end and outranks(veto, span) for veto in vetoes)


def _endings(text: str, certain: Iterable[Span]) -> dict[int, int]:
    """Map the start of each ending that is joined to an exact mention to its end."""
    found = ((span.end, _ENDING.match(text, span.end)) for span in certain if span.exact)
    return {start: ending.end() for start, ending in found if ending is not None}


def _fitted(
    text: str,
    learned: Sequence[Span],
    dates: Mapping[int, Sequence[Span]],
    endings: Mapping[int, int],
) -> list[Span]:
    """Return learned spans, cut or removed where certain dates and exact mentions exclude text."""
    joined = {place for start, end in endings.items() for place in range(start, end)}
    return [
        _ended(text, span, dates[span.start], endings)
        for span in learned
        if not any(_part_of_date(span, date) for date in dates[span.start])
        and not (joined and joined.issuperset(range(span.start, span.end)))
    ]


def _part_of_date(span: Span, date: Span) -> bool:
    """Whether a learned span with another label is part of a written date, such as an age "16"."""
    shorter = span.end - span.start < date.end - date.start
    return shorter and span.end <= date.end and span.label is not Label.DATE


def _in_one(date: Span, learned: Iterable[Span]) -> bool:
    """Whether one of the learned spans that cover a date's first character covers all of it."""
    return any(date.end <= span.end for span in learned)


def _ended(text: str, span: Span, dates: Iterable[Span], endings: Mapping[int, int]) -> Span:
    """Return a learned span, cut before a time after its date or an exact mention's ending."""
    if not dates and not endings:
        return span
    inside = range(span.start + 1, span.end)
    if span.label is Label.DATE:
        ends = (d.end for d in dates if d.end in inside and _timed(text, d.end, span.end))
    else:
        ends = (place for place in inside if span.end <= endings.get(place, 0))
    end = next(ends, None)
    return span if end is None else replace(span, end=end)


def _timed(text: str, start: int, end: int) -> bool:
    """Whether the text after a date is a time of day, or digits joined to the date."""
    time = _TIME.match(text, start)
    digits = text[start - 1].isdigit() and text[start:end].isdigit()
    return digits or (time is not None and end <= time.end())


def _yields(text: str, span: Span, covered: bytearray) -> bool:
    """Whether learned spans replace the extent of a rule's span; trusted phrases never yield."""
    if span.priority >= TRUSTED or 1 not in covered[span.start : span.end]:
        return False
    left = [at for at in range(span.start, span.end) if not covered[at]]
    if span.sure:
        return not any(text[at].isalnum() for at in left)
    return not any(text[at].isdigit() or _cuts_word(text, at, covered) for at in left)


def _cuts_word(text: str, at: int, covered: bytearray) -> bool:
    """Whether an uncovered letter is adjacent to a covered one of the same word."""
    beside = text[at - 1] if at and covered[at - 1] else ""
    beside += text[at + 1] if covered[at + 1 : at + 2] == b"\1" else ""
    return text[at].isalnum() and any(map(str.isalnum, beside))
