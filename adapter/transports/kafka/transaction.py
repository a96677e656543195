"""A Kafka transaction of a lane: the records sent, and the offsets settled with them."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from aiokafka import TopicPartition
from aiokafka.errors import UnknownTopicOrPartitionError

from adapter.transports.kafka.failures import abort, bounded, failure, missing_topic, refusal
from adapter.transports.protocol import Channel, RefusedError

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

    from adapter.config.kafka import Kafka
    from adapter.transports.kafka.chaining import Progress
    from adapter.transports.protocol import TransportError
    from adapter.types import Position, Record

SLOW_SECONDS = 3.0
"""Seconds after which the topics of records that have not arrived are checked."""


async def sent(
    producer: AIOKafkaProducer, topic: str, channel: Channel, record: Record, *, keeps_times: bool
) -> asyncio.Future[Any]:
    """Pass a record to a producer; the returned future tells whether it arrived.

    A record without a key, and patient memory, goes to the partition with its source's number. Only
    a released record may keep its time.

    Raises:
        RefusedError: the record has neither key nor value.
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
    """Make a producer fetch the leaders of a topic whenever it fetches any.

    The client asks for all topics at first, but once one was missing, only for those that it had to
    look up. It would lose track of all others, and wait for their leaders until the time limit.
    """
    producer.client.add_topic(topic)


class Sender(Protocol):
    """The interface of the transport that a transaction uses."""

    kafka: Kafka
    exactly_once: bool
    consumer: AIOKafkaConsumer

    def topic(self, channel: Channel, source: str) -> str | None:
        """Return the topic of a channel, or None if it has none."""


@dataclass(slots=True)
class KafkaTransaction:
    """Pending sends, and the offsets that they settle."""

    transport: Sender
    producer: AIOKafkaProducer
    progress: Progress
    sends: list[tuple[str, asyncio.Future[Any]]] = field(default_factory=list)
    """(topic, future) of each record."""

    @property
    def _seconds(self) -> float:
        return self.transport.kafka.transaction_timeout_ms / 1000

    async def begin(self) -> None:
        """Begin the transaction, for exactly-once."""
        if self.transport.exactly_once:
            await bounded(self.producer.begin_transaction(), self._seconds)

    async def send(self, channel: Channel, record: Record) -> None:
        """Pass a record to the producer; the commit tells whether it arrived.

        A record without a key goes to the partition with its source's number.

        Raises:
            RefusedError: the record is too large, or has neither key nor value.
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
        """Wait for records to arrive; after `SLOW_SECONDS`, check whether their topics exist.

        The client retries until its time limit, whatever the broker answers.
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
        """Set the offset to commit."""
        partition = TopicPartition(position.topic, position.partition)
        self.progress.offsets[partition] = position.offset + 1

    async def commit(self) -> None:
        """Wait for all records, and commit them with the offsets.

        Raises:
            TransportError: a part of the transaction failed.
        """
        await self._arriving(self._arrived())
        if not self.progress.offsets:
            return
        transport, offsets = self.transport, self.progress.marked()
        if transport.exactly_once:
            group = transport.kafka.consumer_group
            sending = self.producer.send_offsets_to_transaction(offsets, group)
            await bounded(sending, self._seconds, resource=f"group {group}")
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

    def cause(self, error: TransportError) -> TransportError:
        """Return the refusal that made the transaction fail, if that is not what failed first."""
        return refusal(self.producer, error) if self.transport.exactly_once else error

    async def abort(self) -> None:
        """Abort; if that fails, the next producer of the id aborts the transaction."""
        for _, send in self.sends:
            send.add_done_callback(_seen)
        if self.transport.exactly_once:
            await abort(self.producer)


def _seen(send: asyncio.Future[Any]) -> None:
    """Retrieve the exception, so that asyncio does not log it as never retrieved."""
    if not send.cancelled():
        send.exception()
