"""Output topics as a source: partitions are assigned directly, without a consumer group.

Only committed records are read. The progress of a lane is stored in the mart, with its rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiokafka import AIOKafkaConsumer, TopicPartition

from adapter.errors import RuleError
from adapter.mart.loading.entries import released
from adapter.mart.loading.source import Batch
from adapter.mart.store.protocol import Lane
from adapter.transports.kafka.admin import partitions_of
from adapter.transports.kafka.client import MIB, connection
from adapter.transports.kafka.lane import record_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from aiokafka import ConsumerRecord

    from adapter.config.kafka import Kafka

_WAIT_MS = 500
_PLACE = "mart.topics"


class KafkaSource:
    """All partitions of some topics, up to their present ends, or without end (``follow``)."""

    def __init__(
        self,
        kafka: Kafka,
        topics: Sequence[str],
        batch_records: int,
        *,
        follow: bool = False,
        accept_gap: bool = False,
    ) -> None:
        self._kafka, self._topics = kafka, tuple(topics)
        self._batch_records, self._follow, self._accept_gap = batch_records, follow, accept_gap
        self._consumer: AIOKafkaConsumer | None = None

    async def lanes(self) -> Sequence[Lane]:
        """Connect, and return every partition of the topics.

        Raises:
            RuleError: a topic does not exist.
        """
        self._consumer = AIOKafkaConsumer(
            **connection(self._kafka),
            client_id=f"{self._kafka.app}-mart",
            group_id=None,
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            isolation_level="read_committed",
            fetch_max_bytes=self._kafka.prefetch_bytes,
            max_partition_fetch_bytes=min(self._kafka.prefetch_bytes, 4 * MIB),
        )
        await self._consumer.start()
        found = sorted(Lane(*each) for each in await partitions_of(self._kafka, self._topics))
        existing = {lane.topic for lane in found}
        for topic in self._topics:
            if topic not in existing:
                raise RuleError(_PLACE, f"no such topic: {topic}")
        return tuple(found)

    async def batches(self, start: Mapping[Lane, int | None]) -> AsyncIterator[Batch | None]:
        """Yield batches from the given offsets; None when all records so far are read.

        Raises:
            RuleError: records were deleted before they were loaded.
        """
        consumer = self._consumer
        if consumer is None:
            return
        at = [TopicPartition(*lane) for lane in start]
        consumer.assign(at)
        first, ends = await consumer.beginning_offsets(at), await consumer.end_offsets(at)
        for lane, offset in start.items():
            own = TopicPartition(*lane)
            consumer.seek(own, self._from(lane, offset, first[own], ends[own]))
        while True:
            found = await consumer.getmany(timeout_ms=_WAIT_MS, max_records=self._batch_records)
            for partition, records in found.items():
                yield _batch(partition, records)
            if not found:
                yield None
            if not self._follow and await _reached(consumer, ends):
                return

    def _from(self, lane: Lane, offset: int | None, first: int, end: int) -> int:
        if offset is None or (offset < first and self._accept_gap):
            return first
        where = f"{lane.topic}-{lane.partition}"
        if offset > end:
            raise RuleError(
                _PLACE, f"{where} ends at offset {end}, but is loaded up to offset {offset}"
            )
        if offset < first:
            gap = f"{where}: records {offset} to {first - 1} were deleted before they were loaded"
            raise RuleError(_PLACE, f"{gap}; load them from an archive, then use --accept-gap")
        return offset

    async def close(self) -> None:
        """Disconnect."""
        if self._consumer is not None:
            await self._consumer.stop()


async def _reached(consumer: AIOKafkaConsumer, ends: Mapping[TopicPartition, int]) -> bool:
    for partition, end in ends.items():
        if await consumer.position(partition) < end:
            return False
    return True


def _batch(partition: TopicPartition, records: Sequence[ConsumerRecord[bytes, bytes]]) -> Batch:
    lane = Lane(partition.topic, partition.partition)
    found = tuple(released(record_of(record)) for record in records)
    return Batch(lane, found, records[-1].offset + 1)
