"""The counts of a settled item for the report: numbers and labels, without its text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapter.review.figures.agreement import Compared, Read, compared
from adapter.review.figures.estimation import Reading
from adapter.review.settled import is_found

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.review.judging.actions import Judged, State
    from adapter.review.settled import Settled

TWO = 2
"""Number of readers that Chapman's estimate needs."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts of one item: mentions and found mentions by label, and its readers' comparison.

    ``captured`` are the numbers of mentions that the first reader, the second reader and both
    marked; None if there are not two readers.
    """

    reading: Reading
    mentions: Mapping[str, int]
    found: Mapping[str, int]
    captured: tuple[int, int, int] | None
    compared: tuple[Compared, ...]


def counted(each: Settled) -> Counted:
    """Count a settled item."""
    mentions = Counter(span.label for span in each.gold)
    found = Counter(span.label for span in each.gold if is_found(each.content, span))
    reading = Reading(each.stratum, mentions.total(), found.total())
    return Counted(reading, mentions, found, _captured(each), tuple(compared(_reads(each))))


def _captured(each: Settled) -> tuple[int, int, int] | None:
    """Return how many of the settled mentions the first, the second and both readers marked."""
    marked = [_extents(state) for _, state in sorted(each.read.items())]
    if len(marked) != TWO:
        return None
    touched = [[_touches(span, extents) for span in each.gold] for extents in marked]
    both = sum(one and other for one, other in zip(*touched, strict=True))
    return sum(touched[0]), sum(touched[1]), both


def _extents(state: State) -> list[tuple[int, int, int]]:
    return [(s.text, s.start, s.end) for s in state if s.stands]


def _touches(span: Judged, extents: Sequence[tuple[int, int, int]]) -> bool:
    return any(t == span.text and s < span.end and span.start < e for t, s, e in extents)


def _reads(each: Settled) -> Iterator[Read]:
    texts = tuple(each.content.texts[n].text for n in each.content.free)
    number = {n: at for at, n in enumerate(each.content.free)}
    for reader, state in each.read.items():
        spans = tuple((number[s.text], s.start, s.end, s.label) for s in state if s.stands)
        yield Read(each.item, reader, texts, spans)
