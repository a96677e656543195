"""The recall report: mentions found by two readers and an adjudicator, against the machine's.

Only blind readings count. An item is counted when both readers have read it and their differences
are settled; the working queues are not used.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any

from adapter.errors import AdapterError
from adapter.review.counting import Counted, counted
from adapter.review.figures.agreement import Agreement, pooled
from adapter.review.figures.estimation import Estimate, Reading, estimate
from adapter.review.figures.intervals import Capture, Interval, capture, wilson
from adapter.review.settled import Version, sampled, settle
from adapter.review.store import people, readings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.review.store.protocol import Cursor
    from adapter.review.store.store import Store

SEED = 7
"""Seed of the bootstrap, fixed so that the same readings give the same figures."""


@dataclass(frozen=True, slots=True)
class OfLabel:
    """Counts of a label: mentions, and mentions that the machine hides."""

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
    """All figures; ``waiting`` is the number of messages not read or not settled yet.

    ``disagreements`` of them wait for adjudication. They have more misses than the counted
    messages, on which both readers agree, so the figures are too high while any are left.
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


MOST = 10_000
"""Maximum number of items whose counts are cached between reports."""


@dataclass(frozen=True, slots=True)
class Counts:
    """The input of a report: counts of the settled items by version, and the numbers waiting."""

    settled: Mapping[Version, Counted]
    sizes: Mapping[str, int]
    names: frozenset[str] = field(repr=False)
    waiting: int
    disagreements: int

    @property
    def version(self) -> Version:
        """The version of the report; equal versions give equal reports."""
        sizes = tuple(sorted(self.sizes.items()))
        return (tuple(self.settled), sizes, self.names, self.waiting, self.disagreements)


@dataclass(slots=True)
class Figures:
    """The report of a store, computed incrementally from a cache.

    The cache holds counts by label of at most `MOST` settled items, and no text. Each report checks
    the cached versions against the readings as stored.
    """

    store: Store = field(repr=False)
    _cache: Mapping[Version, Counted] = field(default_factory=dict, repr=False)
    _last: tuple[Version, Report] | None = field(default=None, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def report(self) -> Report:
        """Return the report on all samples.

        Raises:
            StoreError: the database does not answer.
            SealError: the key of an item is not available.
        """
        with self._lock:
            counts = self._counts()
            if self._last is None or self._last[0] != counts.version:
                self._last = counts.version, _report(counts)
            return self._last[1]

    def warm(self) -> Thread:
        """Start to compute the report in the background, and return the thread that does so.

        The first page with figures takes seconds in a large store. If the report cannot be made,
        that page says so.
        """
        thread = Thread(target=self._warmed, daemon=True)
        thread.start()
        return thread

    def _warmed(self) -> None:
        with suppress(AdapterError):
            self.report()

    def _counts(self) -> Counts:
        with self.store.database.transaction() as cursor:
            every = list(sampled(self.store, cursor))
            done = {
                each.version: self._cache.get(each.version)
                or counted(settle(self.store, cursor, each))
                for each in every
                if each.is_settled
            }
            names = frozenset(person.name for person in people.everybody(cursor))
            sizes = _sizes(cursor)
        self._cache = dict(list(done.items())[:MOST])
        waiting = sum(not judge.done for each in every for judge in each.judge)
        return Counts(done, sizes, names, len(every) - len(done), waiting)


def report(store: Store) -> Report:
    """Return the report on all samples, without a cache.

    Raises:
        StoreError: the database does not answer.
        SealError: the key of an item is not available.
    """
    return Figures(store).report()


def _report(counts: Counts) -> Report:
    done = list(counts.settled.values())
    messages = [each.reading for each in done]
    made = estimate(messages, counts.sizes, seed=SEED) if done else None
    missed = _missed(done)
    known = (c for each in done for c in each.compared if counts.names.issuperset(c.readers))
    return Report(
        made,
        missed,
        _corrected(made, missed),
        tuple(_by_label(done)),
        tuple(_by_stratum(messages, counts.sizes)),
        pooled(known),
        counts.waiting,
        counts.disagreements,
    )


def _sizes(cursor: Cursor) -> dict[str, int]:
    """Return the size of each stratum at its first sample; it does not grow after that."""
    sizes: Counter[str] = Counter()
    for sample in readings.sample_sizes(cursor):
        for name, size in sample.items():
            sizes[name] = max(sizes[name], size)
    return dict(sizes)


def _by_label(done: Sequence[Counted]) -> Iterator[OfLabel]:
    mentions: Counter[str] = Counter()
    found: Counter[str] = Counter()
    for each in done:
        mentions.update(each.mentions)
        found.update(each.found)
    for label, number in sorted(mentions.items(), key=lambda pair: (-pair[1], pair[0])):
        yield OfLabel(label, number, found[label], wilson(found[label] / number, number))


def _by_stratum(messages: Sequence[Reading], sizes: Mapping[str, int]) -> Iterator[OfStratum]:
    for name, size in sorted(sizes.items()):
        own = [r for r in messages if r.stratum == name]
        yield OfStratum(
            name, size, len(own), sum(r.mentions for r in own), sum(r.found for r in own)
        )


def _missed(done: Sequence[Counted]) -> Capture | None:
    """Return Chapman's estimate over all items that two people have read."""
    captured = [each.captured for each in done if each.captured is not None]
    ones, twos, both = (sum(each[n] for each in captured) for n in range(3))
    return capture(ones, twos, both) if done else None


def _corrected(made: Estimate | None, missed: Capture | None) -> float | None:
    if made is None or missed is None or not missed.found:
        return None
    return made.recall.value * missed.found / (missed.found + missed.missed)
