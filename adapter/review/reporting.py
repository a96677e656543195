"""The recall report: mentions found by two readers and their judge, against the machine's.

Only blind readings count. An item is counted when both have read it and their differences are
settled; the working queues are not used.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from adapter.review.figures.agreement import Agreement, Read, between
from adapter.review.figures.estimation import Estimate, Reading, estimate
from adapter.review.figures.intervals import Capture, Interval, capture, wilson
from adapter.review.judging import actions as judging
from adapter.review.judging.items import unpacked
from adapter.review.store import items, people, readings
from adapter.review.views import blind, load

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.review.judging.actions import Judged, State
    from adapter.review.judging.items import Content
    from adapter.review.store.protocol import Cursor
    from adapter.review.store.store import Store

SEED = 7
"""Seed of the bootstrap: the same readings give the same figures."""


@dataclass(frozen=True, slots=True)
class OfLabel:
    """The numbers of a label's mentions, and of those that the machine hides."""

    label: str
    mentions: int
    found: int
    recall: Interval


@dataclass(frozen=True, slots=True)
class OfStratum:
    """Counts of a stratum: messages, settled sample messages, mentions, mentions found."""

    stratum: str
    size: int
    read: int
    mentions: int
    found: int


@dataclass(frozen=True, slots=True)
class Report:
    """All figures; ``waiting`` messages are not read or settled yet.

    Of these, ``disagreements`` wait for a judge. They have more misses than the counted messages,
    on which both readers agree: while any waits, the figures are too high.
    """

    estimate: Estimate | None
    missed: Capture | None
    corrected: float | None
    """Recall if the machine missed all mentions that both readers missed (Chapman's estimate)."""
    by_label: tuple[OfLabel, ...]
    by_stratum: tuple[OfStratum, ...]
    agreement: Mapping[tuple[str, str], Agreement]
    waiting: int
    disagreements: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as JSON values."""
        fields = asdict(self)
        pairs = {" and ".join(names): value for names, value in fields["agreement"].items()}
        return fields | {"agreement": pairs}


@dataclass(frozen=True, slots=True)
class Settled:
    """A counted item: its stratum, its settled mentions, and the mentions of each reader."""

    item: str
    stratum: str
    sample: str
    content: Content
    gold: tuple[Judged, ...]
    read: Mapping[str, State]


def settled(store: Store, cursor: Cursor) -> Iterator[Settled]:
    """Yield the items whose blind readings are done and agree, or are settled."""
    by_item: dict[str, list[readings.Reading]] = defaultdict(list)
    for reading in readings.of_sample(cursor, "recall"):
        by_item[reading.item].append(reading)
    for item, both in sorted(by_item.items()):
        judge = readings.of_item(cursor, item, "disagreements")
        if not all(r.done for r in (*both, *judge)):
            continue
        found = items.read(cursor, store.box, item, store.now)
        if found is None:
            continue
        content, read = unpacked(found[1]), blind(store, cursor, item)
        state = load(store, cursor, judge[0], read).state if judge else judging.joined(read)
        gold = tuple(span for span in state if span.stands)
        yield Settled(item, found[0].stratum, both[0].sample, content, gold, read)


def is_found(content: Content, span: Judged) -> bool:
    """Return whether the machine hides a mention completely, under any label.

    A mention that it finds but keeps, because the profile permits that, is not hidden.
    """
    text = content.texts[span.text].text
    marks = [m for m in content.texts[span.text].marks if m.surrogate != text[m.start : m.end]]
    return all(
        any(m.start <= at < m.end for m in marks)
        for at in range(span.start, span.end)
        if text[at].isalnum()
    )


def report(store: Store) -> Report:
    """Return all figures of the samples drawn so far.

    Raises:
        StoreError: the database does not answer.
    """
    with store.database.transaction() as cursor:
        done = list(settled(store, cursor))
        expected = {r.item for r in readings.of_sample(cursor, "recall")}
        names = {p.name for p in people.everybody(cursor)}
        sizes = _sizes(cursor)
        unsettled = sum(not r.done for r in readings.of_sample(cursor, "disagreements"))
    counted = [_counted(each) for each in done]
    made = estimate(counted, sizes, seed=SEED) if counted else None
    missed = _missed(done)
    return Report(
        made,
        missed,
        _corrected(made, missed),
        tuple(_by_label(done)),
        tuple(_by_stratum(counted, sizes)),
        between(read for each in done for read in _reads(each) if read.reader in names),
        len(expected) - len(done),
        unsettled,
    )


def _sizes(cursor: Cursor) -> dict[str, int]:
    """Return the messages of each stratum at its first sample; none are added after that."""
    sizes: Counter[str] = Counter()
    for sample in readings.sample_sizes(cursor):
        for name, size in sample.items():
            sizes[name] = max(sizes[name], size)
    return dict(sizes)


def _counted(each: Settled) -> Reading:
    found = sum(is_found(each.content, span) for span in each.gold)
    return Reading(each.stratum, len(each.gold), found)


def _by_label(done: Sequence[Settled]) -> Iterator[OfLabel]:
    mentions: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for each in done:
        mentions.update(span.label for span in each.gold)
        found.update(span.label for span in each.gold if is_found(each.content, span))
    for label, number in sorted(mentions.items(), key=lambda pair: (-pair[1], pair[0])):
        yield OfLabel(label, number, found[label], wilson(found[label] / number, number))


def _by_stratum(counted: Sequence[Reading], sizes: Mapping[str, int]) -> Iterator[OfStratum]:
    for name, size in sorted(sizes.items()):
        own = [r for r in counted if r.stratum == name]
        yield OfStratum(
            name, size, len(own), sum(r.mentions for r in own), sum(r.found for r in own)
        )


def _missed(done: Sequence[Settled]) -> Capture | None:
    """Return Chapman's estimate from the settled mentions that either reader found."""
    ones = twos = both = 0
    for each in done:
        marked = [_extents(state) for _, state in sorted(each.read.items())]
        if len(marked) != 2:  # noqa: PLR2004 - the estimate is of two readers
            continue
        for span in each.gold:
            first, second = (_touches(span, extents) for extents in marked)
            ones, twos, both = ones + first, twos + second, both + (first and second)
    return capture(ones, twos, both) if done else None


def _extents(state: State) -> list[tuple[int, int, int]]:
    return [(s.text, s.start, s.end) for s in state if s.stands]


def _touches(span: Judged, extents: Sequence[tuple[int, int, int]]) -> bool:
    return any(t == span.text and s < span.end and span.start < e for t, s, e in extents)


def _corrected(made: Estimate | None, missed: Capture | None) -> float | None:
    if made is None or missed is None or not missed.found:
        return None
    return made.recall.value * missed.found / (missed.found + missed.missed)


def _reads(each: Settled) -> Iterator[Read]:
    texts = tuple(each.content.texts[n].text for n in each.content.free)
    number = {n: at for at, n in enumerate(each.content.free)}
    for reader, state in each.read.items():
        spans = tuple((number[s.text], s.start, s.end, s.label) for s in state if s.stands)
        yield Read(each.item, reader, texts, spans)
