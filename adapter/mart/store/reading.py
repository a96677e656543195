"""The reading side of the store over any database: versions in order, numbers, merges, counts."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from adapter.mart.folding import Said
from adapter.mart.store import schema
from adapter.mart.store.protocol import Count, Rejects
from adapter.mart.versions import Merge, Op, Parting, Version

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.mart.store.database import Database, Row


class Reader:
    """Reads one project's mart; it has no rows of erased persons."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def resources(self, types: Sequence[str] = ()) -> Iterator[tuple[Version, ...]]:
        """The versions of each resource in the order of their messages, by type and id."""
        only = f"AND v.resource_type IN {schema.GIVEN}" if types else ""
        given = (list(types),) if types else ()
        rows = self._db.stream(schema.RESOURCES.format(types=only), *given)
        for _, versions in groupby(rows, key=lambda row: row[:2]):
            yield tuple(_version(row) for row in versions)

    def together(self, resource_type: str, ids: Sequence[str]) -> Iterator[Version]:
        """The versions of several resources of a type, in the order of their messages."""
        return map(_version, self._db.stream(schema.TOGETHER, resource_type, list(ids)))

    def types(self) -> tuple[str, ...]:
        """The types of resources there are, sorted."""
        return tuple(row[0] for row in self._db.rows(schema.TYPES))

    def subjects(self, resource_type: str) -> Iterator[tuple[str, str | None]]:
        """Id and subject of every resource of a type, sorted."""
        for row in self._db.stream(schema.SUBJECTS, resource_type):
            yield row[0], row[1]

    def numbers(self) -> Iterator[tuple[str, str]]:
        """Pairs of number keys of one person."""
        for row in self._db.stream(schema.NUMBERS):
            yield row[0], row[1]

    def merges(self) -> Iterator[Merge]:
        """Merges in the order of their messages."""
        for prior, number, days in self._db.stream(schema.MERGES):
            yield Merge(prior, number, days)

    def parts(self) -> bool:
        """Return whether any message states that numbers belong to different persons."""
        return bool(self._db.rows(schema.PARTS))

    def said(self) -> Iterator[Said]:
        """Yield the statements of who is one person and who is not; the latest message first."""
        for _, rows in groupby(self._db.stream(schema.SAID), key=lambda row: row[0]):
            yield _said(list(rows))

    def counts(self) -> tuple[Count, ...]:
        """Return the counts of messages, sorted."""
        return tuple(_count(row) for row in self._db.rows(schema.COUNTS))

    def keys(self) -> tuple[str, ...]:
        """The ids of the adapter's keys that messages were released under, sorted."""
        return tuple(row[0] for row in self._db.rows(schema.KEYS))

    def rejects(self) -> tuple[Rejects, ...]:
        """Return the counts of what could not be mapped, sorted."""
        return tuple(Rejects(row[0], row[1], int(row[2])) for row in self._db.rows(schema.REJECTS))


def _said(rows: list[Row]) -> Said:
    """Return the statement of one message, from rows of id, kind, two numbers and order.

    Links name the least number of a group with each other one; partings have a row for each number,
    on one side or the other.
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
    return Said(tuple(map(tuple, groups.values())), tuple(partings))


def _version(row: Row) -> Version:
    resource_type, resource_id, subject, op, body, index = row
    return Version(resource_type, resource_id, subject, Op(op), body, index)


def _count(row: Row) -> Count:
    landed, topic, form, kind, outcome, stage, code, messages, keyless = row
    return Count(landed, topic, form, kind, outcome, stage, code, int(messages), int(keyless))
