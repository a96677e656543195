"""Compares a partition's offsets at the broker with the offset at which a lane continues."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapter.audit import Event, log
from adapter.transports.kafka.failures import bounded
from adapter.transports.protocol import Cause, TransportError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aiokafka import AIOKafkaConsumer, TopicPartition

SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Extent:
    """The offsets of a partition: that of its first record, and the one after its last."""

    partition: TopicPartition
    begin: int
    end: int

    def continued(self, committed: int, lane: str) -> int:
        """Return the committed offset of a lane if the lane can continue there.

        If retention has deleted records that were not read, the number of their offsets is logged.

        Raises:
            TransportError: "offset-lost", the partition ends before the offset. It was created
                again or restored, so that other records can have offsets that are settled.
        """
        if self.end < committed:
            raise TransportError("offset-lost", Cause(topic=self.partition.topic))
        if committed < self.begin:
            log(
                Event.RECORDS_GONE,
                "error",
                lane=lane,
                topic=self.partition.topic,
                partition=self.partition.partition,
                offset=committed,
                records=self.begin - committed,
            )
        return committed


async def extents(
    consumer: AIOKafkaConsumer, partitions: Sequence[TopicPartition]
) -> dict[TopicPartition, Extent]:
    """Ask the broker for the extent of partitions.

    Raises:
        TransportError: the broker does not answer.
    """
    begins = await bounded(consumer.beginning_offsets(list(partitions)), SECONDS)
    ends = await bounded(consumer.end_offsets(list(partitions)), SECONDS)
    return {each: Extent(each, begins[each], ends[each]) for each in partitions}
