"""Settled items of the recall samples: both readers are done, and agree or were adjudicated."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.review.judging import actions as judging
from adapter.review.store import items, people, readings
from adapter.review.views import NotFound, blind, marked, opened

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from adapter.review.judging.actions import Judged, State
    from adapter.review.judging.items import Content
    from adapter.review.store.protocol import Cursor
    from adapter.review.store.readings import Reading
    from adapter.review.store.store import Store

Version = tuple[object, ...]
"""Changes whenever a reading of an item, or the name of one of its readers, changes."""


@dataclass(frozen=True, slots=True)
class Sampled:
    """An item of a sample, with its blind readings and its adjudication (empty if there is none).

    ``stratum`` is None once the item has expired.
    """

    item: str
    stratum: str | None
    both: tuple[Reading, ...]
    judge: tuple[Reading, ...]
    names: tuple[str, ...] = field(repr=False)
    """Names of its readers in the order of their readings; the id if a reader is not known."""

    @property
    def is_settled(self) -> bool:
        """Whether the item is counted in the report."""
        return self.stratum is not None and all(r.done for r in (*self.both, *self.judge))

    @property
    def version(self) -> Version:
        """The version of everything that the item's figures depend on."""
        versions = tuple((r.id, r.version, r.done) for r in (*self.both, *self.judge))
        return (self.item, self.stratum, versions, self.names)


@dataclass(frozen=True, slots=True)
class Settled:
    """A settled item: its stratum, its settled mentions (``gold``), and each reader's spans."""

    item: str
    stratum: str
    sample: str
    content: Content = field(repr=False)
    gold: tuple[Judged, ...] = field(repr=False)
    read: Mapping[str, State] = field(repr=False)


def sampled(store: Store, cursor: Cursor) -> Iterator[Sampled]:
    """Yield every item of the samples, sorted by id; no message is opened."""
    both, judges = _by_item(cursor, "recall"), _by_item(cursor, "disagreements")
    strata = items.sampled_strata(cursor, store.now)
    names = {p.id: p.name for p in people.everybody(cursor)}
    for item, own in sorted(both.items()):
        called = tuple(names.get(r.assignee, r.assignee) for r in own)
        yield Sampled(item, strata.get(item), tuple(own), tuple(judges[item]), called)


def _by_item(cursor: Cursor, queue: str) -> defaultdict[str, list[Reading]]:
    found: defaultdict[str, list[Reading]] = defaultdict(list)
    for reading in readings.of_sample(cursor, queue):
        found[reading.item].append(reading)
    return found


def settle(store: Store, cursor: Cursor, each: Sampled) -> Settled:
    """Open a settled item and each of its readings, once.

    Raises:
        NotFound: the item has expired.
    """
    if each.stratum is None:
        raise NotFound
    _, content = opened(store, cursor, each.item)
    read = blind(store, cursor, content, dict(zip(each.names, each.both, strict=True)))
    state = judging.joined(read)
    for judge in each.judge[:1]:
        state, _ = marked(store, cursor, judge, content, state)
    gold = tuple(span for span in state if span.stands)
    return Settled(each.item, each.stratum, each.both[0].sample, content, gold, read)


def settled(store: Store, cursor: Cursor) -> Iterator[Settled]:
    """Yield all settled items."""
    for each in sampled(store, cursor):
        if each.is_settled:
            yield settle(store, cursor, each)


def is_found(content: Content, span: Judged) -> bool:
    """Return whether the machine hides all of a mention, under any label.

    A mention that is found but released unchanged, because the profile allows it, is not hidden.
    """
    text = content.texts[span.text].text
    marks = [m for m in content.texts[span.text].marks if m.surrogate != text[m.start : m.end]]
    return all(
        any(m.start <= at < m.end for m in marks)
        for at in range(span.start, span.end)
        if text[at].isalnum()
    )
