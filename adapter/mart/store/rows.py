"""Converts landed messages to columns of rows. Pure."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from adapter.mart.versions import BACKFILL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.mart.store.database import Columns, Row
    from adapter.mart.store.protocol import Entry, HeldRow, MessageRow

_HELD = "message_id topic stage code landed".split()
_LINK = "number other message_id".split()
_MERGE = "prior number days idx message_id".split()
_PARTING = "number other idx message_id".split()
_REJECT = "place code n message_id".split()
_plain = str.__str__
"""Returns the value of an enumeration member; several times faster than ``.value``."""


def place(message: MessageRow) -> tuple[bool, str, int, int]:
    """Return the sort key of a message; backfilled lanes sort before live ones."""
    return order(message.topic, message.partition, message.offset)


def order(topic: str, partition: int, offset: int) -> tuple[bool, str, int, int]:
    """Return the sort key of a position."""
    return not topic.startswith(BACKFILL), topic, partition, offset


def message_rows(entries: Sequence[Entry]) -> Columns:
    """Return the columns of the table message."""
    messages = [entry.message for entry in entries]
    landed = [entry.landed for entry in entries]
    return {
        "message_id": [m.message_id for m in messages],
        "topic": [m.topic for m in messages],
        "part": [m.partition for m in messages],
        "seq": [m.offset for m in messages],
        "format": [each.format for each in landed],
        "kind": [each.kind for each in landed],
        "ruleset": [m.ruleset for m in messages],
        "key_id": [m.key_id for m in messages],
        "outcome": [_plain(m.outcome) for m in messages],
        "keyless": [each.keyless_results for each in landed],
        "landed": [m.landed for m in messages],
    }


def held_rows(rows: Sequence[HeldRow]) -> Columns:
    """Return the columns of the table held."""
    once = list({row.message_id: row for row in rows}.values())
    return {name: [getattr(row, name) for row in once] for name in _HELD}


def person_rows(entries: Sequence[Entry]) -> dict[str, Columns]:
    """Return the columns of the tables with data of persons, by table."""
    return {
        "version": _versions(entries),
        "number_link": _columns(_LINK, [row for entry in entries for row in _links(entry)]),
        "merge": _columns(_MERGE, [row for entry in entries for row in _merges(entry)]),
        "parting": _columns(_PARTING, [row for entry in entries for row in _partings(entry)]),
        "reject": _columns(_REJECT, [row for entry in entries for row in _rejects(entry)]),
    }


def _versions(entries: Sequence[Entry]) -> Columns:
    """Return columns directly; rows would create many objects for the garbage collector."""
    versions = [version for entry in entries for version in entry.landed.versions]
    return {
        "resource_type": [v.resource_type for v in versions],
        "resource_id": [v.resource_id for v in versions],
        "subject": [v.subject for v in versions],
        "op": [_plain(v.op) for v in versions],
        "body": [v.body for v in versions],
        "message_id": [e.message.message_id for e in entries for _ in e.landed.versions],
        "idx": [v.index for v in versions],
    }


def _links(entry: Entry) -> Iterator[Row]:
    """Yield a group's smallest number with each other; a lone number only if no version has it."""
    for group in entry.landed.numbers:
        least, *others = sorted(set(group))
        for other in others:
            yield least, other, entry.message.message_id
        if not others and all(least != version.subject for version in entry.landed.versions):
            yield least, least, entry.message.message_id


def _merges(entry: Entry) -> Iterator[Row]:
    for index, merge in enumerate(entry.landed.merges):
        yield merge.prior, merge.number, merge.days, index, entry.message.message_id


def _partings(entry: Entry) -> Iterator[Row]:
    """Yield a row for each number, in the column of its side."""
    for index, parting in enumerate(entry.landed.partings):
        for number in parting.one:
            yield number, "", index, entry.message.message_id
        for other in parting.others:
            yield "", other, index, entry.message.message_id


def _rejects(entry: Entry) -> Iterator[Row]:
    if not entry.landed.rejects:
        return
    counted = Counter((reject.place, reject.code) for reject in entry.landed.rejects)
    for (where, code), count in sorted(counted.items()):
        yield where, code, count, entry.message.message_id


def _columns(names: Sequence[str], rows: Sequence[Row]) -> Columns:
    values = zip(*rows, strict=True) if rows else ((),) * len(names)
    return dict(zip(names, values, strict=True))
