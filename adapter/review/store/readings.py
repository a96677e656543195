"""Readings: the assignment of an item to a queue and a person, and the actions on its spans."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapter.review.judging.actions import Action
from adapter.review.store.protocol import Conflict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.review.store.protocol import Cursor
    from adapter.sealing.box import Box

_COLUMNS = "id, item, queue, sample, assignee, focus, rank, version, done, spans, created"
_FIELDS = ", ".join(f"r.{name}" for name in _COLUMNS.split(", "))


@dataclass(frozen=True, slots=True)
class Reading:
    """One review of an item; ``done`` is when it was finished (ms since the epoch), 0 until then.

    ``focus`` is the number of the only span to judge, -1 for all; ``version`` increases with every
    action; ``spans`` is the number of spans not judged yet.
    """

    id: str
    item: str
    queue: str
    sample: str = ""
    assignee: str = ""
    focus: int = -1
    rank: int = 0
    version: int = 0
    done: int = 0
    spans: int = 0
    created: int = 0


@dataclass(frozen=True, slots=True)
class Step:
    """A recorded action; ``at`` is in ms since the epoch."""

    number: int
    batch: str
    person: str
    at: int
    undone: bool
    action: Action


def add(cursor: Cursor, reading: Reading) -> None:
    """Add a reading."""
    cursor.run(
        f"INSERT INTO review_reading ({_COLUMNS}) VALUES ({', '.join('?' * 11)})",  # noqa: S608
        *(getattr(reading, name) for name in _COLUMNS.split(", ")),
    )


def arrival(cursor: Cursor) -> int:
    """Return the rank of a newly held message: the last event number, which sorts oldest first."""
    return int(cursor.rows("SELECT COALESCE(MAX(number), 0) FROM review_event")[0][0])


def of(cursor: Cursor, reading: str) -> Reading | None:
    """Return the reading with this id, or None."""
    rows = cursor.rows(f"SELECT {_FIELDS} FROM review_reading r WHERE id = ?", reading)  # noqa: S608
    return Reading(*rows[0]) if rows else None


def of_item(cursor: Cursor, item: str, queue: str) -> Sequence[Reading]:
    """Return the readings of an item in a queue."""
    sql = f"SELECT {_FIELDS} FROM review_reading r WHERE item = ? AND queue = ? ORDER BY id"  # noqa: S608
    return [Reading(*row) for row in cursor.rows(sql, item, queue)]


def of_sample(cursor: Cursor, queue: str) -> Sequence[Reading]:
    """Return all readings of a queue, for the figures."""
    sql = f"SELECT {_FIELDS} FROM review_reading r WHERE queue = ? ORDER BY id"  # noqa: S608
    return [Reading(*row) for row in cursor.rows(sql, queue)]


def sample_sizes(cursor: Cursor) -> Sequence[Mapping[str, int]]:
    """Return the number of messages in the frame by stratum, for each sample, oldest first."""
    rows = cursor.rows("SELECT strata FROM review_sample ORDER BY created, id")
    return [json.loads(row[0]) for row in rows]


@dataclass(frozen=True, slots=True)
class Listed:
    """A reading with the columns of its item that a queue shows."""

    reading: Reading
    kind: str
    hold: str
    stratum: str


def listed(
    cursor: Cursor, queue: str, assignee: str | None, *, done: bool, after: str = "", most: int
) -> Sequence[Listed]:
    """Return a page of at most ``most`` readings; ``assignee`` None means anybody's.

    The page starts after the reading with the id ``after`` (keyset pagination).
    """
    who, values = ("", list[object]()) if assignee is None else (" AND r.assignee = ?", [assignee])
    later, place = _later(of(cursor, after) if after else None, done=done)
    sql = (
        f"SELECT {_FIELDS}, i.kind, i.hold, i.stratum FROM review_reading r"  # noqa: S608
        f" JOIN review_item i ON i.id = r.item WHERE r.queue = ?{who}"
        f" AND {later} ORDER BY r.done, r.rank, r.id LIMIT ?"
    )
    rows = cursor.rows(sql, queue, *values, *place, most)
    return [Listed(Reading(*row[:11]), *row[11:]) for row in rows]


def _later(last: Reading | None, *, done: bool) -> tuple[str, tuple[object, ...]]:
    """Return an indexable SQL condition for readings sorted after ``last``, and its parameters."""
    if not done:
        if last is None:
            return "r.done = 0", ()
        return "r.done = 0 AND (r.rank, r.id) > (?, ?)", (last.rank, last.id)
    if last is None or not last.done:
        return "r.done > 0", ()
    return "(r.done, r.rank, r.id) > (?, ?, ?)", (last.done, last.rank, last.id)


def counts(cursor: Cursor, assignee: str | None) -> dict[str, int]:
    """Return the number of unfinished readings by queue."""
    who, values = ("", list[str]()) if assignee is None else (" AND assignee = ?", [assignee])
    sql = f"SELECT queue, COUNT(*) FROM review_reading WHERE done = 0{who} GROUP BY queue"  # noqa: S608
    return dict(cursor.rows(sql, *values))


def following(cursor: Cursor, reading: Reading, assignee: str | None) -> str | None:
    """Return the id of the next unfinished reading in the same queue, or None."""
    who, values = ("", list[str]()) if assignee is None else (" AND assignee = ?", [assignee])
    sql = (
        f"SELECT id FROM review_reading WHERE queue = ?{who} AND done = 0 AND id <> ?"  # noqa: S608
        " AND (rank > ? OR (rank = ? AND id > ?)) ORDER BY rank, id LIMIT 1"
    )
    rows = cursor.rows(
        sql, reading.queue, *values, reading.id, reading.rank, reading.rank, reading.id
    )
    return rows[0][0] if rows else None


def bump(cursor: Cursor, reading: str, version: int, **changed: int) -> None:
    """Increment the version of a reading and set the columns ``changed``.

    Raises:
        Conflict: the reading is no longer at that version.
    """
    sets = "".join(f", {name} = ?" for name in changed)
    sql = f"UPDATE review_reading SET version = version + 1{sets} WHERE id = ? AND version = ?"  # noqa: S608
    if cursor.run(sql, *changed.values(), reading, version) != 1:
        raise Conflict("somebody else was first")


def _bound(reading: str, number: int) -> bytes:
    return f"review action {reading} {number}".encode()


@dataclass(frozen=True, slots=True)
class By:
    """Author and time (ms since the epoch) of actions, and the batch that is undone as a unit."""

    batch: str
    person: str
    at: int


def act(cursor: Cursor, box: Box, reading: str, by: By, actions: Sequence[Action]) -> None:
    """Append actions to a reading."""
    sql = "SELECT COALESCE(MAX(number), 0) FROM review_action WHERE reading = ?"
    last = cursor.rows(sql, reading)[0][0]
    for number, action in enumerate(actions, last + 1):
        sealed = box.seal(action.packed(), _bound(reading, number))
        cursor.run(
            "INSERT INTO review_action VALUES (?, ?, ?, ?, ?, ?, ?)",
            reading, number, by.batch, by.person, by.at, 0, sealed,
        )  # fmt: skip


def steps(cursor: Cursor, box: Box, reading: str) -> Sequence[Step]:
    """Return all actions on a reading in order, including undone ones.

    Raises:
        SealError: the key of one is not available.
    """
    sql = (
        "SELECT number, batch, person, at, undone, sealed FROM review_action"
        " WHERE reading = ? ORDER BY number"
    )
    return [
        Step(
            n, batch, who, at, bool(undone), Action.unpacked(box.open(bytes(b), _bound(reading, n)))
        )
        for n, batch, who, at, undone, b in cursor.rows(sql, reading)
    ]


def mark_undone(cursor: Cursor, reading: str, batch: str) -> None:
    """Mark the actions of a batch on a reading as undone."""
    cursor.run(
        "UPDATE review_action SET undone = 1 WHERE batch = ? AND reading = ?", batch, reading
    )


def batch_readings(cursor: Cursor, batch: str) -> Sequence[str]:
    """Return the ids of the readings that have actions of a batch."""
    sql = "SELECT DISTINCT reading FROM review_action WHERE batch = ? ORDER BY reading"
    return [row[0] for row in cursor.rows(sql, batch)]
