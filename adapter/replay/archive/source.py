"""An archive as the source of a replay, and descriptions of data that it lacks."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.replay.archive.formats import AMBIGUOUS
from adapter.replay.archive.lanes import LaneReader
from adapter.replay.archive.scan import Scan, scan
from adapter.replay.batches import cut
from adapter.replay.storage import Storage
from adapter.replay.survey import LaneRange, Survey

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Sequence

    from adapter.config.replay import ReplaySource
    from adapter.config.settings import Settings
    from adapter.types import Record


@dataclass(slots=True)
class ArchiveSource:
    """The objects below an address, as a source of records."""

    source: ReplaySource = field(repr=False)
    batch_records: int
    batch_bytes: int
    _scan: Scan = field(default_factory=Scan, repr=False)
    _storage: Storage | None = field(default=None, repr=False)

    @classmethod
    def of(cls, settings: Settings) -> ArchiveSource:
        """Create the archive source of the settings.

        Raises:
            RuleError: the settings name no archive, or do not say where messages end.
        """
        source, workers = settings.replay.source, settings.workers
        if not source.url:
            raise RuleError("replay.source.url", "is not set; give the URL of the archive")
        if source.format == "bytes" and source.split == "refuse":
            raise RuleError("replay.source.split", AMBIGUOUS)
        return cls(source, workers.batch_records, workers.batch_bytes)

    def storage(self) -> Storage:
        """Return the storage of the objects."""
        if self._storage is None:
            self._storage = Storage.at(self.source.url, self.source.options).listed()
        return self._storage

    async def survey(self, watch: Callable[[int, int], None]) -> Survey:
        """Scan the archive and return its lanes, objects and counts.

        Raises:
            ReplayError: an object is damaged, misnamed, or in another format or layout.
        """
        self._scan = await asyncio.to_thread(scan, self.storage(), self.source, watch)
        partitions: dict[str, int] = {}
        for topic, number in self._scan.lanes:
            partitions[topic] = max(partitions.get(topic, 0), number + 1)
        lanes = tuple(
            LaneRange(
                *lane.lane,
                lane.extents[0].first,
                max(extent.last for extent in lane.extents) + 1,
                max(0, lane.records - lane.duplicates),
                partitions[lane.lane[0]],
            )
            for lane in self._scan.lanes.values()
        )
        return Survey(
            lanes,
            tuple(self._scan.objects),
            tuple(lacks(self._scan, self.source)),
            tuple(warnings(self._scan)),
            dict(sorted(self._scan.counts.items())),
        )

    def fix(self, plan: dict[str, Any]) -> None:
        """Do nothing: the replay of a changed archive is refused."""

    async def batches(self, lane: LaneRange, start: int) -> AsyncIterator[Sequence[Record]]:
        """Yield a lane's records from an offset on in batches, read in a thread."""
        reader = LaneReader(
            self.storage(), self.source, self._scan.lanes[lane.topic, lane.partition]
        )
        batches = cut(reader.records(start), self.batch_records, self.batch_bytes)
        while (batch := await asyncio.to_thread(next, batches, None)) is not None:
            yield batch

    async def stop(self) -> None:
        """Do nothing: no resource is held."""


def lacks(found: Scan, source: ReplaySource) -> Iterator[str]:
    """Yield descriptions of missing data and their consequences."""
    counts, total = found.counts, found.counts["records"]
    if not counts["keys"]:
        yield "keys: no record has one, so no released record has one and tombstones erase nobody"
    if not counts["headers"]:
        yield "headers: no record has any"
    if not counts["tombstones"]:
        yield "tombstones: none; the archive does not tell whether there were any"
    if counts["timestamps"] < total:
        yield f"timestamps: {_of(total - counts['timestamps'], total)} have none"
    if counts["offsets"] < total:
        yield from _offsets(counts["names"], source)
    if counts["rewritten"]:
        yield (
            f"bytes: {_of(counts['rewritten'], total)} were kept as parsed JSON; numbers and order "
            "are as they were, white space and escapes are written anew"
        )


def _offsets(named: int, source: ReplaySource) -> Iterator[str]:
    if named:
        yield (
            "offsets: object names give the first, the others are counted; after control records "
            "or compaction, message ids differ from those of the live run"
        )
    else:
        yield (
            "coordinates: messages are counted in the order of object names, so ids and order can "
            f"differ from those of the live run (layout {source.layout})"
        )


def _of(count: int, total: int) -> str:
    return f"{count} of {total} records"


def warnings(found: Scan) -> Iterator[str]:
    """Yield descriptions of differences from the live run's output."""
    for lane in found.lanes.values():
        name = f"{lane.lane[0]}-{lane.lane[1]}"
        if lane.begins_later:
            yield (
                f"{name}: starts in the middle: what earlier messages said about patients is "
                "unknown, so as-of can differ from the live run"
            )
        if lane.gaps:
            yield f"{name}: {lane.gaps} offsets between first and last are not in the archive"
        if lane.duplicates:
            yield f"{name}: {lane.duplicates} records are present twice and are used once"
