"""Reads one lane of an archive in order of offsets.

Objects are read one after another. Objects with overlapping offsets are merged, and an object that
is out of order is sorted in memory. A record that occurs twice is yielded once; two different
records at one offset are an error.

If only an object's name gives an offset, the offsets of its rows are counted from it. Records
counted to the same offset (tombstones are in separate objects) get consecutive offsets, so that
offsets are unique.
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
"""Maximum number of records of an object that is out of order; a larger one is refused."""

Found = tuple[int, int, str, int, "Row"]
"""(offset, 0 for tombstones else 1, object's name, row number, row)."""


@dataclass(frozen=True, slots=True)
class LaneReader:
    """Reads one lane of a scanned archive."""

    storage: Storage = field(repr=False)
    source: ReplaySource = field(repr=False)
    scan: LaneScan

    def records(self, start: int = 0) -> Iterator[Record]:
        """Yield the selected records from an offset on.

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
                found = (before[0] + 1, *found[1:])  # noqa: PLW2901 - the next offset
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
    """Yield groups of objects with overlapping offsets, in order of offsets."""
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
    """Raise ReplayError for a different second record at an offset."""
    one, other = (replace(found[-1], headers=()) for found in (first, second))
    if second[0] == first[0] and one != other:
        place = at(second[2], second[3] + 1)
        raise ReplayError(
            place, f"has the offset of a different record, {first[2]}: row {first[3] + 1}"
        )
