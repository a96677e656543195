"""Items: sealed messages with an expiry, and the clear-text columns that sampling needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.review.figures.sampling import Candidate
from adapter.review.store import proposed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.review.store.protocol import Cursor
    from adapter.sealing.box import Box


@dataclass(frozen=True, slots=True)
class Item:
    """The clear-text columns of an item; ``name`` is its name in the quarantine.

    ``created`` and ``expires`` are in ms since the epoch.
    """

    id: str
    kind: str
    stratum: str
    hold: str
    name: str = field(repr=False)
    created: int
    expires: int


@dataclass(frozen=True, slots=True)
class Mention:
    """The position and score of a mention that the machine found, for selecting mentions to review.

    ``phrase`` is a MAC of its text.
    """

    text: int
    start: int
    end: int
    phrase: bytes = field(repr=False)
    score: float
    uncertainty: float


def bound(item: str) -> bytes:
    """Return the associated data that binds a sealed value to its item."""
    return b"review item " + item.encode()


def add(
    cursor: Cursor,
    box: Box,
    item: Item,
    origin: bytes,
    plain: bytes,
    *,
    mentions: Iterable[Mention],
) -> bool:
    """Add an item with its mentions; return False if an item of that origin exists."""
    if cursor.rows("SELECT 1 FROM review_item WHERE origin = ?", origin):
        return False
    cursor.run(
        "INSERT INTO review_item VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        item.id, origin, item.kind, item.stratum, item.hold, item.name, item.created,
        item.expires, box.seal(plain, bound(item.id)),
    )  # fmt: skip
    for m in mentions:
        cursor.run(
            "INSERT INTO review_mention VALUES (?, ?, ?, ?, ?, ?, ?)",
            item.id, m.text, m.start, m.end, m.phrase, m.score, m.uncertainty,
        )  # fmt: skip
    return True


@dataclass(frozen=True, slots=True)
class Known:
    """The columns of a stored item that identify its message."""

    id: str
    hold: str
    name: str = field(repr=False)


def of_origin(cursor: Cursor, origin: bytes) -> Known | None:
    """Return the item of an origin, or None."""
    rows = cursor.rows("SELECT id, hold, name FROM review_item WHERE origin = ?", origin)
    return Known(*rows[0]) if rows else None


def rename(cursor: Cursor, item: str, name: str) -> None:
    """Set an item's name in the quarantine."""
    cursor.run("UPDATE review_item SET name = ? WHERE id = ?", name, item)


def read(cursor: Cursor, box: Box, item: str, now: int) -> tuple[Item, bytes] | None:
    """Return an item and its plain bytes; None if it does not exist or has expired.

    Raises:
        SealError: its key is not available.
    """
    sql = (
        "SELECT id, kind, stratum, hold, name, created, expires, sealed"
        " FROM review_item WHERE id = ? AND expires > ?"
    )
    rows = cursor.rows(sql, item, now)
    if not rows:
        return None
    return Item(*rows[0][:7]), box.open(bytes(rows[0][7]), bound(item))


def strata(cursor: Cursor) -> Sequence[tuple[str, str]]:
    """Return (id, stratum) of the items in the sampling frame: those not sampled before.

    Messages in the working queues stay in the frame, since excluding them would bias the sample.
    Held messages and messages without free text are not in it.
    """
    sql = (
        "SELECT id, stratum FROM review_item WHERE hold = '' AND stratum <> '' AND NOT EXISTS"
        " (SELECT 1 FROM review_reading r WHERE r.item = review_item.id AND r.queue = 'recall')"
        " ORDER BY id"
    )
    return [(row[0], row[1]) for row in cursor.rows(sql)]


def sampled_strata(cursor: Cursor, now: int) -> Mapping[str, str]:
    """Return the stratum of each sampled item that has not expired, by item id."""
    sql = (
        "SELECT i.id, i.stratum FROM review_item i WHERE i.expires > ? AND i.id IN"
        " (SELECT r.item FROM review_reading r WHERE r.queue = 'recall')"
    )
    return dict(cursor.rows(sql, now))


def candidates(cursor: Cursor, most: int) -> Sequence[Candidate]:
    """Return at most ``most`` mentions that may be put to a reviewer, the least certain first.

    Messages in a recall sample are excluded, because their readers must not see what the machine
    found; so are held messages, which only officers may see.
    """
    sql = (
        "SELECT item, text, first, past, phrase, score FROM review_mention m"
        " JOIN review_item i ON i.id = m.item AND i.hold = ''"
        " WHERE uncertainty > 0 AND NOT EXISTS (SELECT 1 FROM review_reading r"
        " WHERE r.item = m.item AND r.queue IN ('recall', 'uncertain'))"
        " ORDER BY uncertainty DESC, item, text, first LIMIT ?"
    )
    return [Candidate(r[0], r[1], r[2], r[3], bytes(r[4]), r[5]) for r in cursor.rows(sql, most)]


def containing(cursor: Cursor, phrase: bytes, assignee: str | None, most: int) -> Sequence[str]:
    """Return at most ``most`` ids of items with a phrase and an unfinished working-queue reading.

    ``assignee`` limits the readings to one person's; None means anybody's.
    """
    who, values = ("", list[str]()) if assignee is None else (" AND r.assignee = ?", [assignee])
    sql = (
        "SELECT DISTINCT m.item FROM review_mention m"  # noqa: S608 - fixed text
        " JOIN review_reading r ON r.item = m.item"
        f" WHERE m.phrase = ? AND r.done = 0 AND r.queue IN ('held', 'uncertain'){who}"
        " ORDER BY m.item LIMIT ?"
    )
    return [row[0] for row in cursor.rows(sql, phrase, *values, most)]


def for_shadow_sample(cursor: Cursor, most: int) -> Sequence[str]:
    """Return ids of items for a shadow sample: recall samples first, then others by (random) id."""
    sql = (
        "SELECT i.id FROM review_item i LEFT JOIN (SELECT DISTINCT item FROM review_reading"
        " WHERE queue = 'recall') r ON r.item = i.id WHERE i.hold = ''"
        " ORDER BY CASE WHEN r.item IS NULL THEN 1 ELSE 0 END, i.id LIMIT ?"
    )
    return [row[0] for row in cursor.rows(sql, most)]


def purge(cursor: Cursor, now: int) -> int:
    """Erase the expired items with their mentions, readings and actions; return how many items.

    Decided proposals and their authors are kept.
    """
    old = "SELECT id FROM review_item WHERE expires <= ?"
    readings = f"SELECT id FROM review_reading WHERE item IN ({old})"  # noqa: S608 - fixed text
    proposed.expire(cursor, now)
    cursor.run(f"DELETE FROM review_action WHERE reading IN ({readings})", now)  # noqa: S608
    cursor.run(f"DELETE FROM review_reading WHERE item IN ({old})", now)  # noqa: S608
    cursor.run(f"DELETE FROM review_mention WHERE item IN ({old})", now)  # noqa: S608
    return cursor.run("DELETE FROM review_item WHERE expires <= ?", now)
