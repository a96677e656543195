"""Topics as the source of a replay; partitions are assigned, never subscribed to.

The end is fixed at the beginning. There is no consumer group: no offset of the live service is
read, moved or committed.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from adapter.errors import RuleError
from adapter.replay.batches import cut
from adapter.replay.errors import ReplayError
from adapter.replay.survey import LaneRange, Survey
from adapter.transports.kafka.admin import partitions_of
from adapter.transports.kafka.client import consumer_options
from adapter.transports.kafka.failures import quietly
from adapter.transports.kafka.lane import record_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from adapter.config.kafka import Kafka
    from adapter.config.replay import ReplaySource
    from adapter.config.settings import Settings
    from adapter.types import Record

POLL_MS = 500
SECONDS = 60.0
STALLED_SECONDS = 60.0
"""Seconds without a record after which a partition that should have more is an error."""


@dataclass(slots=True)
class TopicSource:
    """Reads partitions of topics between fixed offsets."""

    kafka: Kafka
    source: ReplaySource
    batch_records: int
    batch_bytes: int
    fixed: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Lane -> (first offset, end), as an earlier run of the replay fixed them."""
    _reader: AIOKafkaConsumer | None = None

    @classmethod
    def of(cls, settings: Settings) -> TopicSource:
        """Create the topic source of the settings.

        Raises:
            RuleError: the settings name no topic.
        """
        if not settings.replay.source.topics:
            raise RuleError("replay.source.topics", "is empty; list the topics to replay")
        workers = settings.workers
        return cls(
            settings.kafka, settings.replay.source, workers.batch_records, workers.batch_bytes
        )

    def fix(self, plan: dict[str, Any]) -> None:
        """Use the offsets of an earlier run's plan; later messages are not part of the replay."""
        self.fixed = {
            f"{each['topic']}-{each['partition']}": (each["first"], each["end"])
            for each in plan["inputs"]
        }

    async def survey(self, watch: Callable[[int, int], None]) -> Survey:
        """Ask the broker for the first and last offsets, and the offsets of the range's times.

        Raises:
            ReplayError: the broker does not answer, or a topic or a range's first offset is gone.
        """
        try:
            async with asyncio.timeout(SECONDS):
                return await self._survey(watch)
        except (KafkaError, TimeoutError) as error:
            raise self._failed("kafka", error) from None

    async def _survey(self, watch: Callable[[int, int], None]) -> Survey:
        reader = await self._started()
        partitions = await partitions_of(self.kafka, self.source.topics)
        if missing := set(self.source.topics) - {partition.topic for partition in partitions}:
            raise ReplayError(min(missing), "no such topic")
        firsts = await reader.beginning_offsets(partitions)
        ends = await reader.end_offsets(partitions)
        lanes: list[LaneRange] = []
        warnings: list[str] = []
        for number, partition in enumerate(sorted(partitions)):
            watch(number, len(partitions))
            lane = await self._range(reader, partition, firsts[partition], ends[partition])
            if lane is None:
                continue
            lanes.append(lane)
            warnings += self._warnings(lane, firsts[partition])
        counted = Counter(partition.topic for partition in partitions)
        lanes = [replace(lane, partitions=counted[lane.topic]) for lane in lanes]
        inputs = tuple(
            {"topic": x.topic, "partition": x.partition, "first": x.first, "end": x.end}
            for x in lanes
        )
        counts = {"records": sum(lane.records for lane in lanes)}
        return Survey(tuple(lanes), inputs, (), tuple(warnings), counts)

    async def _range(
        self, reader: AIOKafkaConsumer, partition: TopicPartition, first: int, end: int
    ) -> LaneRange | None:
        name = f"{partition.topic}-{partition.partition}"
        if self.fixed:
            if name not in self.fixed:
                return None
            start, stop = self.fixed[name]
            return LaneRange(partition.topic, partition.partition, start, stop, stop - start)
        start, stop = first, end
        if self.source.since:
            start = max(start, await _offset_at(reader, partition, self.source.since, end))
        if self.source.until:
            stop = min(stop, await _offset_at(reader, partition, self.source.until, end))
        if self.source.offsets:
            if name not in self.source.offsets:
                return None
            low, high = self.source.offsets[name]
            if low < first:
                raise ReplayError(name, f"begins at offset {first}, after the offset asked for")
            start, stop = max(start, low), min(stop, high + 1)
        if stop <= start:
            return None
        return LaneRange(partition.topic, partition.partition, start, stop, stop - start)

    def _warnings(self, lane: LaneRange, first: int) -> list[str]:
        told = []
        if lane.first > 0:
            why = "" if lane.first > first else ", because earlier records were deleted"
            told.append(
                f"{lane.name}: starts in the middle, at offset {lane.first}{why}: what earlier "
                "messages said about patients is unknown, so as-of can differ from the live run"
            )
        if self.source.keys:
            told.append(
                f"{lane.name}: some keys only; messages of other keys teach nothing about patients"
            )
        return told

    async def batches(self, lane: LaneRange, start: int) -> AsyncIterator[Sequence[Record]]:
        """Yield committed records of a partition, up to its end at the beginning of the replay.

        Raises:
            ReplayError: the broker does not answer, or has deleted records of the range.
        """
        partition = TopicPartition(lane.topic, lane.partition)
        options = self._options() | {"auto_offset_reset": "none"}
        reader = AIOKafkaConsumer(**options)
        try:
            async with asyncio.timeout(SECONDS):
                await reader.start()
            reader.assign([partition])
            reader.seek(partition, start)
            async for batch in self._read(reader, partition, lane):
                yield batch
        except (KafkaError, TimeoutError) as error:
            raise self._failed(lane.name, error) from None
        finally:
            await quietly(reader.stop())

    async def _read(
        self, reader: AIOKafkaConsumer, partition: TopicPartition, lane: LaneRange
    ) -> AsyncIterator[Sequence[Record]]:
        keys = {key.encode() for key in self.source.keys}
        silent = 0.0
        while await reader.position(partition) < lane.end:
            fetched = await reader.getmany(
                partition, timeout_ms=POLL_MS, max_records=self.batch_records
            )
            records = [record_of(each) for each in fetched.get(partition, ())]
            silent = 0.0 if records else silent + POLL_MS / 1000
            if silent > STALLED_SECONDS:
                raise TimeoutError
            chosen = [r for r in records if r.position.offset < lane.end]
            wanted = [r for r in chosen if not keys or r.key in keys]
            for batch in cut(wanted, self.batch_records, self.batch_bytes):
                yield batch

    async def _started(self) -> AIOKafkaConsumer:
        if self._reader is None:
            self._reader = AIOKafkaConsumer(**self._options())
            await self._reader.start()
        return self._reader

    def _options(self) -> dict[str, Any]:
        options = consumer_options(self.kafka)
        return options | {"group_id": None, "group_instance_id": None}

    def _failed(self, place: str, error: Exception) -> ReplayError:
        return ReplayError(place, f"cannot be read ({type(error).__name__})")

    async def stop(self) -> None:
        """Stop the survey's consumer."""
        if self._reader is not None:
            await quietly(self._reader.stop())


async def _offset_at(
    reader: AIOKafkaConsumer, partition: TopicPartition, time: Any, end: int
) -> int:
    """Return the offset of the first record at a time or later, or ``end`` if there is none."""
    found = await reader.offsets_for_times({partition: round(time.timestamp() * 1000)})
    told = found.get(partition)
    return end if told is None else int(told.offset)
