"""Reads topics of released messages: committed records, in order within each partition.

The position is the offset of a consumer group, committed before the next message is sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.errors import KafkaError

from adapter.send.sending import Outgoing
from adapter.transports.kafka.client import consumer_options
from adapter.transports.kafka.failures import failure, quietly, topics_of

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator, Sequence

    from adapter.config.kafka import Kafka
    from adapter.transports.protocol import TransportError

POLL_MS = 500


class TopicSource:
    """The records after the group's offsets; with ``follow``, later records too."""

    def __init__(self, kafka: Kafka, topics: Sequence[str], name: str, *, follow: bool) -> None:
        """Keep the settings; the group is ``kafka.app`` followed by ``name``."""
        self._group = f"{kafka.app}-{name}"
        options = consumer_options(kafka) | {"group_id": self._group, "group_instance_id": None}
        self._consumer = AIOKafkaConsumer(*topics, **options)
        self._follow = follow

    async def messages(self, stop: asyncio.Event) -> AsyncIterator[Outgoing]:
        """Yield the records that were not delivered; a tombstone is an empty message.

        Raises:
            TransportError: the broker does not answer, or a right is missing.
        """
        try:
            async for message in self._messages(stop):
                yield message
        except KafkaError as error:
            raise self._failure(error) from None

    def _failure(self, error: KafkaError) -> TransportError:
        return failure(error, topics_of(error), f"group {self._group}")

    async def _messages(self, stop: asyncio.Event) -> AsyncIterator[Outgoing]:
        await self._consumer.start()
        while not stop.is_set():
            fetched = await self._consumer.getmany(timeout_ms=POLL_MS)
            for partition, records in fetched.items():
                for record in records:
                    at = partition.topic, partition.partition, record.offset
                    if partition in self._consumer.assignment():  # else it was reassigned
                        yield Outgoing(record.value or b"", "-".join(map(str, at)), at)
            if not (fetched or self._follow) and await self._ended():
                return

    async def _ended(self) -> bool:
        partitions = self._consumer.assignment()
        ends = await self._consumer.end_offsets(partitions)
        places = [await self._consumer.position(each) >= ends[each] for each in partitions]
        return bool(places) and all(places)

    async def settle(self, message: Outgoing) -> None:
        """Commit the offset after a message.

        Raises:
            TransportError: the commit failed, so that the message will be sent again.
        """
        topic, partition, offset = message.position
        try:
            await self._consumer.commit({TopicPartition(topic, partition): offset + 1})
        except KafkaError as error:
            raise self._failure(error) from None

    async def close(self) -> None:
        """Leave the group."""
        await quietly(self._consumer.stop())
