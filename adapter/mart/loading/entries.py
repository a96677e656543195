"""Converts released and audit records to entries of the store. Pure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from adapter.headers import MESSAGE_ID
from adapter.mart.store.protocol import Entry, HeldRow, MessageRow, Outcome
from adapter.mart.versions import Landed, Reject, Released, digest, named_by

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable

    from adapter.types import Record

    Land = Callable[[Released], Landed]
    """Lands a record."""

_RULESET, _KEY = "deid-ruleset", "deid-key"
FAILED = Landed(rejects=(Reject("message", "failed"),))
"""The result for a record whose landing failed: one reject."""


def released(record: Record, topic: str | None = None) -> Released:
    """Convert an output record; ``topic`` replaces its topic if given."""
    at = record.position
    own = dict(record.headers).get(MESSAGE_ID, b"").decode("ascii", "replace")
    place = topic or at.topic, at.partition, at.offset
    message_id = own or digest("|".join(map(str, place)))  # if the record has no id
    return Released(record.value, message_id, *place, record.key, record.headers)


def entry(record: Released, land: Land, today: dt.date) -> Entry:
    """Land a record; a tombstone erases all persons that its key may identify."""
    if record.value is None:
        key = (record.key or b"").decode("utf-8", "replace")
        return Entry(_row(record, today, Outcome.TOMBSTONE), erases=named_by(key))
    try:
        landed = land(record)
    except Exception:  # noqa: BLE001 - one unforeseen record must not stop the feed
        return Entry(_row(record, today, Outcome.REJECTED), FAILED)
    return Entry(_row(record, today, Outcome.RELEASED), landed)


def held(record: Released, today: dt.date) -> HeldRow | None:
    """Return the row of a held message from its audit record; None for other records."""
    try:
        audit = json.loads(record.value or b"")
        if audit["outcome"] != Outcome.HELD or not audit["id"]:
            return None
        return HeldRow(audit["id"], audit["topic"], audit["stage"], audit["code"], today)
    except (ValueError, KeyError, TypeError):
        return None


def _row(record: Released, today: dt.date, outcome: Outcome) -> MessageRow:
    headers = dict(record.headers)
    return MessageRow(
        record.message_id,
        record.topic,
        record.partition,
        record.offset,
        today,
        ruleset=headers.get(_RULESET, b"").decode("ascii", "replace"),
        key_id=headers.get(_KEY, b"").decode("ascii", "replace"),
        outcome=outcome,
    )
