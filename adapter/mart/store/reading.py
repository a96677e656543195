"""The reading side of the store for any database: versions in order, numbers, merges, counts."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from adapter.mart.folding import IdentityStatement
from adapter.mart.store import schema
from adapter.mart.store.protocol import Count, Rejects
from adapter.mart.versions import Merge, Op, Parting, Version

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.mart.store.database import Database, Row


class Reader:
    """Reads one project's mart, without data of erased persons."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def resources(self, types: Sequence[str] = ()) -> Iterator[tuple[Version, ...]]:
        """Yield the versions of each resource in message order, sorted by type and id."""
        only = f"AND v.resource_type IN {schema.GIVEN}" if types else ""
        given = (list(types),) if types else ()
        rows = self._db.stream(schema.RESOURCES.format(types=only), *given)
        for _, versions in groupby(rows, key=lambda row: row[:2]):
            yield tuple(_version(row) for row in versions)

    def together(self, resource_type: str, ids: Sequence[str]) -> Iterator[Version]:
        """Return the versions of several resources of a type, in message order."""
        return map(_version, self._db.stream(schema.TOGETHER, resource_type, list(ids)))

    def types(self) -> tuple[str, ...]:
        """Return the resource types in the store, sorted."""
        return tuple(row[0] for row in self._db.rows(schema.TYPES))

    def subjects(self, resource_type: str) -> Iterator[tuple[str, str | None]]:
        """Yield (id, subject) of every resource of a type, sorted."""
        for row in self._db.stream(schema.SUBJECTS, resource_type):
            yield row[0], row[1]

    def numbers(self) -> Iterator[tuple[str, str]]:
        """Yield pairs of number keys of one person."""
        for row in self._db.stream(schema.NUMBERS):
            yield row[0], row[1]

    def merges(self) -> Iterator[Merge]:
        """Yield the merges in message order."""
        for prior, number, days in self._db.stream(schema.MERGES):
            yield Merge(prior, number, days)

    def parts(self) -> bool:
        """Return whether any message states that numbers belong to different persons."""
        return bool(self._db.rows(schema.PARTS))

    def identity_statements(self) -> Iterator[IdentityStatement]:
        """Yield each message's statements on whose numbers belong together, the latest first."""
        for _, rows in groupby(self._db.stream(schema.STATEMENTS), key=lambda row: row[0]):
            yield _statement(list(rows))

    def counts(self) -> tuple[Count, ...]:
        """Return the counts of messages, sorted."""
        return tuple(_count(row) for row in self._db.rows(schema.COUNTS))

    def keys(self) -> tuple[str, ...]:
        """Return the ids of the adapter's keys that messages were released under, sorted."""
        return tuple(row[0] for row in self._db.rows(schema.KEYS))

    def rejects(self) -> tuple[Rejects, ...]:
        """Return the counts of rejects, sorted."""
        return tuple(Rejects(row[0], row[1], int(row[2])) for row in self._db.rows(schema.REJECTS))


def _statement(rows: list[Row]) -> IdentityStatement:
    """Return the statement of one message, from rows of (message id, kind, number, other, index).

    A link has the smallest number of a group with one of the others; partings have a row for each
    number, in the column of its side.
    """
    groups: dict[object, list[str]] = {}
    sides: dict[int, tuple[list[str], list[str]]] = {}
    for _, kind, number, other, index in rows:
        if kind == "parting":
            side = sides.setdefault(index, ([], []))
            side[0].extend(filter(None, (number,)))
            side[1].extend(filter(None, (other,)))
        else:
            key = number if kind == "link" else (number, other)
            groups.setdefault(key, [number]).append(other)
    partings = (Parting(tuple(one), tuple(others)) for one, others in sides.values())
    return IdentityStatement(tuple(map(tuple, groups.values())), tuple(partings))


def _version(row: Row) -> Version:
    resource_type, resource_id, subject, op, body, index = row
    return Version(resource_type, resource_id, subject, Op(op), body, index)


def _count(row: Row) -> Count:
    landed, topic, form, kind, outcome, stage, code, messages, keyless = row
    return Count(landed, topic, form, kind, outcome, stage, code, int(messages), int(keyless))
