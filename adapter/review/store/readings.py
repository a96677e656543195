"""Readings: who is to look at which item in which queue, and every action on its spans."""

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

QUEUES = ("held", "uncertain", "recall", "disagreements")
_COLUMNS = "id, item, queue, sample, assignee, focus, rank, version, done, spans, created"
_FIELDS = ", ".join(f"r.{name}" for name in _COLUMNS.split(", "))


@dataclass(frozen=True, slots=True)
class Reading:
    """One person's look at an item; ``done`` in ms since the epoch, 0 while it is not.

    ``focus`` is the number of the span that is asked about, -1 for all; ``version`` changes with
    every action; ``spans`` is how many are still to be judged.
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
    """An action as it was taken, and whether it was undone."""

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
    """The rank of a message that is held now: that of the event which adds it, so oldest first."""
    return int(cursor.rows("SELECT COALESCE(MAX(number), 0) FROM review_event")[0][0])


def of(cursor: Cursor, reading: str) -> Reading | None:
    """The reading of an id."""
    rows = cursor.rows(f"SELECT {_FIELDS} FROM review_reading r WHERE id = ?", reading)  # noqa: S608
    return Reading(*rows[0]) if rows else None


def of_item(cursor: Cursor, item: str, queue: str) -> Sequence[Reading]:
    """The readings of an item in a queue."""
    sql = f"SELECT {_FIELDS} FROM review_reading r WHERE item = ? AND queue = ? ORDER BY id"  # noqa: S608
    return [Reading(*row) for row in cursor.rows(sql, item, queue)]


def of_sample(cursor: Cursor, queue: str) -> Sequence[Reading]:
    """All readings of a queue, for figures."""
    sql = f"SELECT {_FIELDS} FROM review_reading r WHERE queue = ? ORDER BY id"  # noqa: S608
    return [Reading(*row) for row in cursor.rows(sql, queue)]


def sample_sizes(cursor: Cursor) -> Sequence[Mapping[str, int]]:
    """How many messages each stratum had that a sample could draw, by sample in their order."""
    rows = cursor.rows("SELECT strata FROM review_sample ORDER BY created, id")
    return [json.loads(row[0]) for row in rows]


@dataclass(frozen=True, slots=True)
class Listed:
    """A reading as a queue shows it."""

    reading: Reading
    kind: str
    hold: str
    stratum: str


def listed(
    cursor: Cursor, queue: str, assignee: str | None, *, done: bool, after: str = "", most: int
) -> Sequence[Listed]:
    """A page of a queue; ``assignee`` None means anybody's.

    It begins behind the reading of id ``after``: a page far behind costs no more than the first.
    """
    who, values = ("", list[object]()) if assignee is None else (" AND r.assignee = ?", [assignee])
    behind, place = _behind(of(cursor, after) if after else None, done=done)
    sql = (
        f"SELECT {_FIELDS}, i.kind, i.hold, i.stratum FROM review_reading r"  # noqa: S608
        f" JOIN review_item i ON i.id = r.item WHERE r.queue = ?{who}"
        f" AND {behind} ORDER BY r.done, r.rank, r.id LIMIT ?"
    )
    rows = cursor.rows(sql, queue, *values, *place, most)
    return [Listed(Reading(*row[:11]), *row[11:]) for row in rows]


def _behind(last: Reading | None, *, done: bool) -> tuple[str, tuple[object, ...]]:
    """A condition that an index answers: what is done, or not, behind a reading."""
    if not done:
        if last is None:
            return "r.done = 0", ()
        return "r.done = 0 AND (r.rank, r.id) > (?, ?)", (last.rank, last.id)
    if last is None or not last.done:
        return "r.done > 0", ()
    return "(r.done, r.rank, r.id) > (?, ?, ?)", (last.done, last.rank, last.id)


def counts(cursor: Cursor, assignee: str | None) -> dict[str, int]:
    """How many readings of each queue are not done."""
    who, values = ("", list[str]()) if assignee is None else (" AND assignee = ?", [assignee])
    sql = f"SELECT queue, COUNT(*) FROM review_reading WHERE done = 0{who} GROUP BY queue"  # noqa: S608
    return dict(cursor.rows(sql, *values))


def following(cursor: Cursor, reading: Reading, assignee: str | None) -> str | None:
    """The next reading of the same queue that is not done."""
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
    """Go on to the next version of a reading.

    Raises:
        Conflict: it is not at that version any more.
    """
    sets = "".join(f", {name} = ?" for name in changed)
    sql = f"UPDATE review_reading SET version = version + 1{sets} WHERE id = ? AND version = ?"  # noqa: S608
    if cursor.run(sql, *changed.values(), reading, version) != 1:
        raise Conflict("somebody else was first")


def _bound(reading: str, number: int) -> bytes:
    return f"review action {reading} {number}".encode()


@dataclass(frozen=True, slots=True)
class By:
    """Who acts when, and in which batch, which is undone as one."""

    batch: str
    person: str
    at: int


def act(cursor: Cursor, box: Box, reading: str, by: By, actions: Sequence[Action]) -> None:
    """Add actions behind those there are."""
    sql = "SELECT COALESCE(MAX(number), 0) FROM review_action WHERE reading = ?"
    last = cursor.rows(sql, reading)[0][0]
    for number, action in enumerate(actions, last + 1):
        sealed = box.seal(action.packed(), _bound(reading, number))
        cursor.run(
            "INSERT INTO review_action VALUES (?, ?, ?, ?, ?, ?, ?)",
            reading, number, by.batch, by.person, by.at, 0, sealed,
        )  # fmt: skip


def steps(cursor: Cursor, box: Box, reading: str) -> Sequence[Step]:
    """All actions on a reading in their order, undone ones too."""
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


def take_back(cursor: Cursor, reading: str, batch: str) -> None:
    """Note that what a batch did in a reading was undone."""
    cursor.run(
        "UPDATE review_action SET undone = 1 WHERE batch = ? AND reading = ?", batch, reading
    )


def batch_readings(cursor: Cursor, batch: str) -> Sequence[str]:
    """The readings that a batch acted on."""
    sql = "SELECT DISTINCT reading FROM review_action WHERE batch = ? ORDER BY reading"
    return [row[0] for row in cursor.rows(sql, batch)]
