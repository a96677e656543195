"""The store for any database: adds landed rows once, except those of erased persons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import MartError
from adapter.mart.store import schema
from adapter.mart.store.blocking import groups, mentioned, spread, without
from adapter.mart.store.erasing import Eraser
from adapter.mart.store.protocol import Lane, Outcome, ReleaseRow, Taken
from adapter.mart.store.reading import Reader
from adapter.mart.store.rows import held_rows, message_rows, order, person_rows, place

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping, Sequence

    from adapter.mart.store.database import Database
    from adapter.mart.store.protocol import Entry, Erasure, HeldRow


class _NotAloneError(Exception):
    """Rows must be erased while other loaders may be writing."""


class SqlStore(Reader):
    """One project's mart in one database; implements `adapter.mart.store.protocol.Store`."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self._eraser = Eraser(database)
        database.open(schema.TABLES)

    def take(self, lanes: Sequence[Lane]) -> tuple[Taken, ...]:
        """Take lanes, so that loaders that had them before can no longer commit."""
        with self._db.transaction():
            return tuple(self._taken(lane) for lane in lanes)

    def _taken(self, lane: Lane) -> Taken:
        make = "INSERT INTO lane VALUES (?, ?, 0, NULL) ON CONFLICT DO NOTHING"
        self._db.changed(make, *lane)
        more = "UPDATE lane SET epoch = epoch + 1 WHERE topic = ? AND part = ?"
        ((epoch, offset),) = self._db.rows(f"{more} RETURNING epoch, next_offset", *lane)
        return Taken(lane, epoch, offset)

    def progress(self) -> Mapping[Lane, tuple[int, int | None]]:
        """Return (epoch, next offset) of every lane."""
        rows = self._db.rows("SELECT topic, part, epoch, next_offset FROM lane ORDER BY 1, 2")
        return {Lane(topic, part): (epoch, offset) for topic, part, epoch, offset in rows}

    def commit(
        self,
        entries: Sequence[Entry],
        taken: Taken,
        next_offset: int,
        held: Sequence[HeldRow] = (),
    ) -> int:
        """Store new messages, held ones and the lane's progress; return the number of new ones.

        Raises:
            MartError: "fenced", if another loader has taken the lane.
        """
        alone = any(entry.erases for entry in entries)
        try:
            return self._commit(entries, taken, next_offset, held, alone=alone)
        except _NotAloneError:
            return self._commit(entries, taken, next_offset, held, alone=True)

    def _commit(
        self,
        entries: Sequence[Entry],
        taken: Taken,
        next_offset: int,
        held: Sequence[HeldRow],
        *,
        alone: bool,
    ) -> int:
        with self._db.transaction(alone=alone):
            self._advance(taken, next_offset)
            self._db.append_new("held", held_rows(held), "message_id")
            fresh = self._fresh(entries)
            erased = self._blocked(fresh, alone=alone)
            kept = [without(entry, erased) for entry in fresh] if erased else fresh
            self._eraser.mark(
                [e.message.message_id for e in kept if e.message.outcome is Outcome.ERASED]
            )
            for table, columns in person_rows(kept).items():
                self._db.append(table, columns)
        return len(fresh)

    def hold(self, rows: Sequence[HeldRow], taken: Taken, next_offset: int) -> int:
        """Store held messages and the audit lane's progress; return the number of new ones.

        Raises:
            MartError: "fenced", if another loader has taken the lane.
        """
        with self._db.transaction():
            self._advance(taken, next_offset)
            return len(self._db.append_new("held", held_rows(rows), "message_id"))

    def _advance(self, taken: Taken, next_offset: int) -> None:
        own = "UPDATE lane SET next_offset = ? WHERE topic = ? AND part = ? AND epoch = ?"
        if self._db.changed(own, next_offset, *taken.lane, taken.epoch) != 1:
            raise MartError("fenced")

    def _fresh(self, entries: Sequence[Entry]) -> list[Entry]:
        """Add the new messages and return them; a known one keeps the later of its positions."""
        latest: dict[str, Entry] = {}
        for entry in entries:
            at = entry.message.message_id
            if at not in latest or place(latest[at].message) < place(entry.message):
                latest[at] = entry
        once = list(latest.values())
        new = self._db.append_new("message", message_rows(once), "message_id")
        self._move([entry for entry in once if entry.message.message_id not in new])
        return [entry for entry in once if entry.message.message_id in new]

    def _move(self, repeated: Sequence[Entry]) -> None:
        if not repeated:
            return
        ids = [entry.message.message_id for entry in repeated]
        sql = "SELECT message_id, topic, part, seq FROM message WHERE message_id IN "
        stored = {row[0]: row[1:] for row in self._db.rows(sql + schema.GIVEN, ids)}
        for message in (entry.message for entry in repeated):
            own = message.topic, message.partition, message.offset
            if order(*own) > order(*stored[message.message_id]):
                move = "UPDATE message SET topic = ?, part = ?, seq = ? WHERE message_id = ?"
                self._db.changed(move, *own, message.message_id)

    def _blocked(self, entries: Sequence[Entry], *, alone: bool) -> set[str]:
        """Return the numbers of erased persons in a batch; erase newly linked ones first."""
        erases = {number for entry in entries for number in entry.erases}
        known = self._eraser.known(mentioned(entries) | erases)
        together = tuple(groups(entries))
        found = spread(known | erases, together)
        if found <= known:
            return found
        if not alone:
            raise _NotAloneError
        day = max(entry.message.landed for entry in entries)
        self._eraser.erase(found - known, "tombstone", day, together)
        return found

    def erase(self, numbers: Sequence[str], reason: str, day: dt.date) -> Erasure:
        """Delete all rows of the persons with these numbers, and block them permanently."""
        with self._db.transaction(alone=True):
            return self._eraser.erase(frozenset(numbers), reason, day)

    def erased(self) -> frozenset[str]:
        """Return the number keys of erased persons."""
        return frozenset(row[0] for row in self._db.rows("SELECT number FROM erased"))

    def compact(self) -> bool:
        """Purge deleted bytes from the database's files; return whether there were any."""
        owed = [row[0] for row in self._db.rows("SELECT number FROM erased WHERE NOT compacted")]
        if owed:
            self._db.compact(schema.OF_PERSONS)
            done = f"UPDATE erased SET compacted = true WHERE number IN {schema.GIVEN}"  # noqa: S608
            self._db.changed(done, owed)
        return bool(owed)

    def release(self, row: ReleaseRow) -> None:
        """Record a release."""
        values = (row.name, row.released_on, row.key_id, row.persons, row.approved_by)
        sql = "INSERT INTO release VALUES (?, ?, ?, ?, ?, ?, ?)"
        self._db.changed(sql, *values, row.manifest, row.recalled)

    def releases(self) -> tuple[ReleaseRow, ...]:
        """Return every release, oldest first."""
        rows = self._db.rows("SELECT * FROM release ORDER BY released_on, name")
        return tuple(ReleaseRow(*row) for row in rows)

    def close(self) -> None:
        """Close the database."""
        self._db.close()
