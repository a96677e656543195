"""Reads input topics without a group: no offset is read, moved or committed, nobody is fenced.

The end of each partition is fixed at the start.
"""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Any

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from adapter.errors import RuleError
from adapter.telemetry.error_names import named
from adapter.transports.dry_run import Stream
from adapter.transports.kafka.admin import input_topics, open_admin, partitions_of
from adapter.transports.kafka.client import consumer_options
from adapter.transports.kafka.failures import failure, quietly
from adapter.transports.kafka.lane import record_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from adapter.config.kafka import Kafka
    from adapter.types import Record

POLL_MS = 200
SECONDS = 60.0
"""Seconds within which the broker must return the offsets."""

Range = tuple[int, int]
"""(first offset to read, offset after the last)."""


class KafkaReader:
    """Reads the newest ``records`` records of the input topics, or all (0)."""

    one_feed = False

    def __init__(self, kafka: Kafka, batch_records: int, records: int = 0) -> None:
        self.kafka = kafka
        self._batch_records = batch_records
        self._records = records
        self._ranges: dict[TopicPartition, Range] = {}

    async def start(self) -> None:
        """Ask for the first and last offset of each partition.

        Raises:
            RuleError: the broker does not answer, or a topic is missing.
        """
        try:
            async with asyncio.timeout(SECONDS):
                self._ranges = newest(await self._there(), self._records)
        except (KafkaError, TimeoutError) as error:
            problem = " ".join(("no broker answers:", *named(error).values()))
            raise RuleError("kafka.bootstrap_servers", problem) from None

    async def _there(self) -> dict[TopicPartition, Range]:
        async with open_admin(self.kafka) as admin:
            there = set(await admin.list_topics())
        topics = input_topics(self.kafka, there)
        if missing := sorted(set(topics) - there):
            problem = f"{missing[0]} does not exist, or may not be described"
            raise RuleError("kafka.topics", problem)
        partitions = await partitions_of(self.kafka, topics)
        async with AIOKafkaConsumer(**_alone(self.kafka)) as asked:
            firsts = await asked.beginning_offsets(partitions)
            ends = await asked.end_offsets(partitions)
        return {each: (firsts[each], ends[each]) for each in sorted(partitions)}

    def streams(self) -> Sequence[Stream]:
        """Return a stream for each partition that is not empty."""
        return [
            Stream(f"{each.topic}-{each.partition}", partial(self._batches, each))
            for each, (first, end) in self._ranges.items()
            if first < end
        ]

    async def _batches(self, partition: TopicPartition) -> AsyncIterator[Sequence[Record]]:
        """Yield batches of the committed records of a partition.

        Raises:
            TransportError: the broker does not answer, or the topic may not be read.
        """
        first, end = self._ranges[partition]
        reader = AIOKafkaConsumer(**_alone(self.kafka))
        try:
            await reader.start()
            reader.assign([partition])
            reader.seek(partition, first)
            while await reader.position(partition) < end:
                fetched = await reader.getmany(
                    partition, timeout_ms=POLL_MS, max_records=self._batch_records
                )
                batch = [record_of(each) for each in fetched.get(partition, ())]
                if wanted := [each for each in batch if each.position.offset < end]:
                    yield wanted
        except KafkaError as error:
            raise failure(error, partition.topic) from None
        finally:
            await quietly(reader.stop())

    def public(self, topic: str) -> str:
        """Return the topic, whose name the operator chose."""
        return topic

    async def stop(self) -> None:
        """Do nothing: each stream has a consumer of its own."""


def newest(there: Mapping[TopicPartition, Range], records: int) -> dict[TopicPartition, Range]:
    """Narrow ranges of offsets to their ends, ``records`` in all, shared evenly."""
    if not records:
        return dict(there)
    left, narrowed = records, {}
    by_size = sorted(there.items(), key=lambda item: item[1][1] - item[1][0])
    for number, (partition, (first, end)) in enumerate(by_size):
        share = min(end - first, left // (len(by_size) - number))
        left -= share
        narrowed[partition] = end - share, end
    return narrowed


def _alone(kafka: Kafka) -> dict[str, Any]:
    """Return the options of a consumer that is in no group."""
    return consumer_options(kafka) | {"group_id": None, "group_instance_id": None}
