"""The records of one lane of an archive, in the order of their offsets.

Objects are read one after another. Where the offsets of several lie in one another they are merged,
and where an object is out of order it is sorted in memory. A record that is there twice is given
once; two different ones at one offset are an error.

Offsets that only an object's name tells are counted from it. Records that were counted into the
same place (tombstones lie in objects of their own) follow one another, so every offset is one
record's.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from adapter.replay.archive.layouts import Reader
from adapter.replay.archive.names import Part
from adapter.replay.archive.objects import records
from adapter.replay.archive.selection import Selection
from adapter.replay.errors import ReplayError, at
from adapter.types import Position, Record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.config.replay import ReplaySource
    from adapter.replay.archive.layouts import Row
    from adapter.replay.archive.scan import Extent, LaneScan
    from adapter.replay.storage import Storage

MOST_SORTED = 2_000_000
"""Records of an object that is out of order, beyond which it is refused."""

Found = tuple[int, int, str, int, "Row"]
"""Offset, 0 for tombstones and 1 for others, object, number in it, row."""


@dataclass(frozen=True, slots=True)
class LaneReader:
    """Reads one lane of a scanned archive."""

    storage: Storage = field(repr=False)
    source: ReplaySource = field(repr=False)
    scan: LaneScan

    def records(self, start: int = 0) -> Iterator[Record]:
        """Selected records from an offset on.

        Raises:
            ReplayError: an object is damaged or has changed since the scan.
        """
        selection = Selection(self.source)
        topic, partition = self.scan.lane
        before: Found | None = None
        for found in self._ordered(start):
            if before is not None and found[0] <= before[0]:
                if self.scan.exact:
                    _refuse_other(before, found)
                    continue
                found = (before[0] + 1, *found[1:])  # noqa: PLW2901 - counted behind it
            before = found
            offset, row = found[0], found[-1]
            if offset >= start and selection.record(self.scan.lane, offset, row):
                position = Position(topic, partition, offset)
                yield Record(row.value, position, row.key, row.headers, row.timestamp)

    def _ordered(self, start: int) -> Iterator[Found]:
        for cluster in _clusters(self.scan.extents):
            if self.scan.exact and max(extent.last for extent in cluster) < start:
                continue
            if len(cluster) == 1:
                yield from self._extent(cluster[0])
            else:
                yield from heapq.merge(*map(self._extent, cluster), key=lambda found: found[:4])

    def _extent(self, extent: Extent) -> Iterator[Found]:
        found = self._rows(extent)
        if extent.ordered:
            return found
        if extent.count > MOST_SORTED:
            raise ReplayError(extent.object.stored.name, "is out of order and too large to sort")
        return iter(sorted(found, key=lambda each: each[:4]))

    def _rows(self, extent: Extent) -> Iterator[Found]:
        obj = extent.object
        tombstones = obj.named.part is Part.TOMBSTONES
        count = 0
        for placed in records(self.storage, obj, Reader(self.source), {}):
            if placed.lane != self.scan.lane:
                continue
            offset = placed.row.offset if placed.row.offset is not None else extent.first + count
            count += 1
            yield offset, int(not tombstones), obj.stored.name, placed.number, placed.row
        if count != extent.count:
            raise ReplayError(obj.stored.name, "has changed since it was scanned")


def _clusters(extents: list[Extent]) -> Iterator[list[Extent]]:
    """Objects whose offsets lie in one another, together; in the order of offsets."""
    cluster: list[Extent] = []
    last = -1
    for extent in extents:
        if cluster and extent.first > last:
            yield cluster
            cluster = []
        cluster.append(extent)
        last = max(last, extent.last)
    if cluster:
        yield cluster


def _refuse_other(first: Found, second: Found) -> None:
    """Refuse a second record at an offset unless it is the same."""
    one, other = (replace(found[-1], headers=()) for found in (first, second))
    if second[0] == first[0] and one != other:
        place = at(second[2], second[3] + 1)
        raise ReplayError(
            place, f"is another record at the offset of {first[2]}: row {first[3] + 1}"
        )
