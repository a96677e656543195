"""A Kafka transaction of a lane: what is sent, and the offsets that are settled with it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from aiokafka import TopicPartition
from aiokafka.errors import UnknownTopicOrPartitionError

from adapter.transports.kafka.failures import bounded, failure, missing_topic, quietly
from adapter.transports.protocol import Channel, RefusedError

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

    from adapter.config.kafka import Kafka
    from adapter.transports.kafka.chaining import Progress
    from adapter.types import Position, Record

SLOW_SECONDS = 3.0
"""After which the topics of records that have not arrived are looked for."""


async def sent(
    producer: AIOKafkaProducer, topic: str, channel: Channel, record: Record, *, keeps_times: bool
) -> asyncio.Future[Any]:
    """Hand a record to a producer; whether it arrived shows when the future is awaited.

    A record without a key goes to the partition of its source's number, as does what is known of
    patients. Only a release may keep its time.

    Raises:
        RefusedError: it has neither key nor value.
    """
    if record.key is None and record.value is None:
        raise RefusedError("send-failed")
    partition = None
    if record.key is None or channel is Channel.STATE:
        partition = record.position.partition % len(await producer.partitions_for(topic))
    _follow(producer, topic)
    kept = keeps_times and channel is Channel.RELEASED
    time = record.timestamp if kept else None
    headers = list(record.headers)
    future: asyncio.Future[Any] = await producer.send(
        topic, record.value, record.key, partition, time, headers
    )
    return future


def _follow(producer: AIOKafkaProducer, topic: str) -> None:
    """Have a producer ask for the leaders of a topic whenever it asks for those of any.

    The client asks for all topics at first, and only for those it had to look for once one of them
    was missing: it would lose sight of all others, and wait for their leaders until time is up.
    """
    producer.client.add_topic(topic)


class Sender(Protocol):
    """What a transaction needs of the transport."""

    kafka: Kafka
    exactly_once: bool
    consumer: AIOKafkaConsumer

    def topic(self, channel: Channel, source: str) -> str | None:
        """Where records of a channel go; None when nowhere."""


@dataclass(slots=True)
class KafkaTransaction:
    """Sends under way, and the offsets they settle."""

    transport: Sender
    producer: AIOKafkaProducer
    progress: Progress
    sends: list[tuple[str, asyncio.Future[Any]]] = field(default_factory=list)
    """With the topic of each."""

    @property
    def _seconds(self) -> float:
        return self.transport.kafka.transaction_timeout_ms / 1000

    async def begin(self) -> None:
        """Begin it."""
        if self.transport.exactly_once:
            await bounded(self.producer.begin_transaction(), self._seconds)

    async def send(self, channel: Channel, record: Record) -> None:
        """Hand a record to the producer; whether it arrived shows at the commit.

        A record without a key goes to the partition of its source's number.

        Raises:
            RefusedError: it is too large, or has neither key nor value.
        """
        transport = self.transport
        topic = transport.topic(channel, record.position.topic)
        if topic is not None:
            keeps = transport.kafka.timestamps == "keep"
            linked = self.progress.linked(channel, record)
            sending = sent(self.producer, topic, channel, linked, keeps_times=keeps)
            there = self.producer.client.cluster.partitions_for_topic(topic)
            arriving = bounded(sending, self._seconds) if there else self._arriving(sending, topic)
            self.sends.append((topic, await arriving))

    async def _arriving(self, call: Awaitable[Any], topic: str = "") -> Any:
        """Wait for records to arrive; soon look whether their topics are there at all.

        The client tries again until its time is up, whatever the broker says.
        """
        calling = asyncio.ensure_future(call)
        try:
            done, _ = await asyncio.wait((calling,), timeout=SLOW_SECONDS)
            topics = {topic} if topic else {name for name, _ in self.sends}
            lost = "" if done else await missing_topic(self.producer.client, topics)
            if lost:
                raise failure(UnknownTopicOrPartitionError(), lost)
            return await bounded(calling, self._seconds, topic)
        finally:
            calling.cancel()

    async def advance(self, position: Position) -> None:
        """Keep the offset for the commit."""
        partition = TopicPartition(position.topic, position.partition)
        self.progress.offsets[partition] = position.offset + 1

    async def commit(self) -> None:
        """Everything arrived, offsets with it, or a failure.

        Raises:
            TransportError: some of it did not happen.
        """
        await self._arriving(self._arrived())
        if not self.progress.offsets:
            return
        transport, offsets = self.transport, self.progress.marked()
        if transport.exactly_once:
            group = transport.kafka.consumer_group
            await bounded(self.producer.send_offsets_to_transaction(offsets, group), self._seconds)
            await bounded(self.producer.commit_transaction(), self._seconds)
        else:
            await bounded(transport.consumer.commit(offsets), self._seconds)
        self.progress.committed()

    async def _arrived(self) -> None:
        if not self.transport.exactly_once:
            await self.producer.flush()
        sends = [send for _, send in self.sends]
        outcomes = await asyncio.gather(*sends, return_exceptions=True)
        for (topic, _), outcome in zip(self.sends, outcomes, strict=True):
            if isinstance(outcome, BaseException):
                raise failure(outcome, topic)

    async def abort(self) -> None:
        """Give up; what cannot be aborted now is aborted by the next producer of the id."""
        for _, send in self.sends:
            send.add_done_callback(_seen)
        if self.transport.exactly_once:
            await quietly(self.producer.abort_transaction())


def _seen(send: asyncio.Future[Any]) -> None:
    """Look at a failure, so that nobody logs it as never looked at."""
    if not send.cancelled():
        send.exception()
