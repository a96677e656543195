"""Erases persons: deletes their rows, blocks their numbers, recalls earlier releases.

The caller runs it in an exclusive (``alone``) transaction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.mart.store import schema
from adapter.mart.store.blocking import spread
from adapter.mart.store.protocol import Erasure, Outcome
from adapter.mart.versions import person_id

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Sequence
    from collections.abc import Set as AbstractSet

    from adapter.mart.store.database import Database


class Eraser:
    """Erases persons from one database."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def known(self, numbers: Collection[str]) -> set[str]:
        """Return the numbers that are erased."""
        if not self._db.rows("SELECT 1 FROM erased LIMIT 1"):
            return set()
        sql = f"SELECT number FROM erased WHERE number IN {schema.GIVEN}"  # noqa: S608
        return {number for (number,) in self._db.rows(sql, list(numbers))}

    def erase(
        self,
        numbers: AbstractSet[str],
        reason: str,
        day: dt.date,
        together: Sequence[tuple[str, ...]] = (),
    ) -> Erasure:
        """Erase the persons with these numbers; ``together`` are more groups of linked numbers."""
        found = self._persons(numbers, together)
        new = sorted(found - self.known(found))
        deleted = self._delete(sorted(found))
        if new:
            self._block(new, person_id(found), reason, day)
        return Erasure(len(new), deleted, self._recall(reason) if deleted else ())

    def _block(self, new: list[str], person: str, reason: str, day: dt.date) -> None:
        columns: dict[str, list[object]] = {
            "number": [*new],
            "person_id": [person] * len(new),
            "erased_on": [day] * len(new),
            "reason": [reason] * len(new),
            "compacted": [False] * len(new),
        }
        self._db.append("erased", columns)

    def _persons(
        self, numbers: AbstractSet[str], together: Sequence[tuple[str, ...]]
    ) -> frozenset[str]:
        """Return all numbers of these persons."""
        found = spread(numbers, together)
        border = set(found)
        while border:
            rows = self._db.rows(schema.NEIGHBOURS, *[sorted(border)] * 4)
            wider = spread(found | {row[0] for row in rows}, together)
            border = wider - found
            found = wider
        return frozenset(found)

    def _delete(self, numbers: list[str]) -> int:
        """Delete the persons' rows, and return the number of deleted versions."""
        touched = [row[0] for row in self._db.rows(schema.TOUCHED, *[numbers] * 5)]
        self.mark(touched)
        counts = {}
        for table, which in schema.DELETIONS.items():
            given = (numbers, touched) if "message_id" in which else [numbers] * which.count("?")
            counts[table] = self._db.changed(f"DELETE FROM {table} WHERE {which}", *given)  # noqa: S608
        return counts["version"]

    def mark(self, messages: list[str]) -> None:
        """Set the outcome of messages that are at least partly about an erased person."""
        if messages:
            sql = f"UPDATE message SET outcome = ? WHERE message_id IN {schema.GIVEN}"  # noqa: S608
            self._db.changed(sql, Outcome.ERASED.value, messages)

    def _recall(self, reason: str) -> tuple[str, ...]:
        """Recall every release so far, as it may contain the person; return their names."""
        rows = self._db.rows("SELECT name FROM release ORDER BY released_on, name")
        self._db.changed("UPDATE release SET recalled = ? WHERE recalled = ''", reason)
        return tuple(row[0] for row in rows)
