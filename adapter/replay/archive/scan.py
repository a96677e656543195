"""The scan of an archive: each object is read once, counted and hashed, before the replay runs.

The scan finds damaged objects, wrong names and formats, and data that the archive lacks.
"""

from __future__ import annotations

from array import array
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.replay.archive.layouts import Reader
from adapter.replay.archive.objects import Lane, Object, Placed, objects, records
from adapter.replay.archive.selection import Selection

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.config.replay import ReplaySource
    from adapter.replay.storage import Storage


@dataclass(slots=True)
class Extent:
    """One lane's records in one object: lowest and highest offset, counts, whether in order."""

    object: Object
    first: int = 0
    last: int = -1
    count: int = 0
    selected: int = 0
    ordered: bool = True

    def add(self, offset: int) -> None:
        """Add the offset of the next record."""
        if not self.count:
            self.first = self.last = offset
        self.ordered = self.ordered and offset >= self.last
        self.first, self.last = min(self.first, offset), max(self.last, offset)
        self.count += 1


@dataclass(slots=True)
class LaneScan:
    """The contents of one lane; offsets are ``exact`` if every row gives its own."""

    lane: Lane
    extents: list[Extent] = field(default_factory=list)
    exact: bool = True
    records: int = 0
    """Number of selected records, duplicates included."""
    duplicates: int = 0
    gaps: int = 0
    """Number of missing offsets between the first and the last."""
    begins_later: bool = False
    """Whether messages before the first selected one are missing or not selected."""
    offsets: array[int] = field(default_factory=lambda: array("q"), repr=False)
    """All offsets, 8 bytes per record; emptied when duplicates and gaps have been counted."""
    seen: int = 0


@dataclass(slots=True)
class Scan:
    """The contents of an archive."""

    objects: list[dict[str, Any]] = field(default_factory=list, repr=False)
    """Name, bytes, SHA-256 and rows of each object, in order of names."""
    lanes: dict[Lane, LaneScan] = field(default_factory=dict)
    counts: Counter[str] = field(default_factory=Counter)
    """Counts of selected records: "records", "keys", "headers", "timestamps", "tombstones",
    "offsets", "names" (the object's name gives the first offset), "rewritten", "bytes"."""


def scan(
    storage: Storage, source: ReplaySource, watch: Callable[[int, int], None] = lambda *_: None
) -> Scan:
    """Read an archive; ``watch`` is called with (objects done, objects in all).

    Raises:
        ReplayError: an object is damaged, misnamed, or in another format or layout.
    """
    found = Scan()
    reader, selection = Reader(source), Selection(source)
    chosen = objects(storage, source)
    for done, obj in enumerate(chosen):
        watch(done, len(chosen))
        _object(found, storage, obj, reader, selection)
    for lane in sorted(found.lanes):
        _measured(found.lanes[lane])
    found.lanes = {key: each for key, each in sorted(found.lanes.items()) if each.records}
    watch(len(chosen), len(chosen))
    return found


def _object(
    found: Scan, storage: Storage, obj: Object, reader: Reader, selection: Selection
) -> None:
    hashes: dict[str, Any] = {}
    extents: dict[Lane, Extent] = {}
    count = 0
    for placed in records(storage, obj, reader, hashes):
        count += 1
        if not selection.lane(placed.lane):
            continue
        lane = found.lanes.setdefault(placed.lane, LaneScan(placed.lane))
        extent = extents.get(placed.lane)
        if extent is None:
            extent = extents[placed.lane] = Extent(obj)
            lane.extents.append(extent)
        offset = _offset(placed, obj, lane)
        extent.add(offset)
        lane.seen += 1
        if lane.exact:
            lane.offsets.append(offset)
        if selection.record(placed.lane, offset, placed.row):
            extent.selected += 1
            _count(found.counts, placed, obj)
        elif not lane.records and not extent.selected:
            lane.begins_later = True
        lane.records = lane.records or extent.selected
    for part in obj.parts:
        digest = hashes[part.name].hexdigest() if part.name in hashes else ""
        rows = count if part is obj.stored else None
        told = {"name": part.name, "bytes": part.size, "sha256": digest, "rows": rows}
        found.objects.append({k: v for k, v in told.items() if v is not None})


def _offset(placed: Placed, obj: Object, lane: LaneScan) -> int:
    if placed.row.offset is not None:
        return placed.row.offset
    lane.exact = False
    if obj.named.offset is not None:
        return obj.named.offset + placed.number
    return lane.seen


def _count(counts: Counter[str], placed: Placed, obj: Object) -> None:
    row = placed.row
    counts["records"] += 1
    counts["keys"] += row.key is not None
    counts["headers"] += bool(row.headers)
    counts["timestamps"] += row.timestamp is not None
    counts["tombstones"] += row.value is None
    counts["offsets"] += row.offset is not None
    counts["names"] += obj.named.offset is not None
    counts["rewritten"] += row.rewritten
    counts["bytes"] += len(row.value or b"")


def _measured(lane: LaneScan) -> None:
    """Sort the lane's objects by offset, and count duplicates and gaps."""
    lane.extents.sort(key=lambda extent: (extent.first, extent.object.stored.name))
    lane.records = sum(extent.selected for extent in lane.extents)
    if lane.exact:
        first, last = lane.extents[0].first, max(extent.last for extent in lane.extents)
        unique = len(set(lane.offsets)) if _overlaps(lane.extents) else lane.seen
        lane.duplicates = lane.seen - unique
        lane.gaps = last - first + 1 - unique
        lane.begins_later |= first > 0
    lane.offsets = array("q")


def _overlaps(extents: list[Extent]) -> bool:
    """Return whether an offset may occur twice."""
    last = -1
    for extent in extents:
        if extent.first <= last or extent.count > extent.last - extent.first + 1:
            return True
        last = extent.last
        if not extent.ordered:
            return True
    return False
