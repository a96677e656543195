"""A Kafka lane: one input partition, or one of each topic, and the producer that settles them."""

from __future__ import annotations

import asyncio
import contextlib
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from aiokafka import AIOKafkaProducer, TopicPartition
from aiokafka.errors import KafkaError, MessageSizeTooLargeError, RecordListTooLargeError

from adapter.transports.kafka.client import producer_options
from adapter.transports.kafka.offsets import stable_offset
from adapter.transports.kafka.state import kept, made_like, origin_of
from adapter.transports.merging import Buffer
from adapter.transports.protocol import Channel, RefusedError, TransportError
from adapter.types import Position, Record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Sequence

    from aiokafka import AIOKafkaConsumer, ConsumerRecord

    from adapter.config.kafka import Kafka

STOP_SECONDS = 5.0
END_SECONDS = 0.1
PATIENCE = 1.0
"""Seconds to wait for records that may be earlier than those of another topic."""
TOO_LARGE = (MessageSizeTooLargeError, RecordListTooLargeError)


async def bounded(call: Awaitable[Any], seconds: float) -> Any:
    """A client's call; whatever it raises becomes a failure of the transaction.

    Its own text may quote keys, so it is not chained.

    Raises:
        TransportError: the call failed or took too long.
    """
    try:
        async with asyncio.timeout(seconds):
            return await call
    except TOO_LARGE:
        raise RefusedError("too-large") from None
    except TransportError:
        raise
    except Exception:  # noqa: BLE001 - aiokafka raises KeyError and AssertionError too
        raise TransportError("send-failed") from None


async def quietly(call: Awaitable[Any]) -> None:
    """A call whose failure changes nothing: the next producer of the id cleans up after it."""
    with contextlib.suppress(TransportError):
        await bounded(call, STOP_SECONDS)


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
    kept = keeps_times and channel is Channel.RELEASED
    time = record.timestamp if kept else None
    headers = list(record.headers)
    future: asyncio.Future[Any] = await producer.send(
        topic, record.value, record.key, partition, time, headers
    )
    return future


class LaneOwner(Protocol):
    """What a lane needs of the transport that opened it."""

    kafka: Kafka
    origin: str
    batch_records: int
    batch_bytes: int
    exactly_once: bool
    wake: asyncio.Event
    consumer: AIOKafkaConsumer

    def topic(self, channel: Channel, source: str) -> str | None:
        """Where records of a channel go; None when nowhere."""

    async def end_of(self, partition: TopicPartition) -> int | None:
        """Where a bounded lane ends; None of one that does not."""

    def closed(self, lane: KafkaLane) -> None:
        """Take note that a lane has ended."""


class KafkaLane:
    """One input partition, or those of one number, and the producer that settles them."""

    def __init__(self, transport: LaneOwner, *partitions: TopicPartition, name: str = "") -> None:
        self.transport = transport
        self.partitions = partitions
        self.name = name or f"{partitions[0].topic}-{partitions[0].partition}"
        """Of the lane, and behind the application's of its transactional id."""
        self.closed = asyncio.Event()
        self.producer: AIOKafkaProducer | None = None
        self._buffer = Buffer(partitions)
        self._next = dict.fromkeys(partitions, 0)
        self._end: dict[TopicPartition, int | None] = {}
        self._open = False
        self._ending = False
        self._arrival = asyncio.Event()

    # ---- the polling side ----

    def hungry(self, partition: TopicPartition) -> bool:
        """Whether it has an offset to read from and room for what comes of a partition."""
        most, size = 2 * self.transport.batch_records, self.transport.batch_bytes
        return self._open and not self._ending and self._buffer.room(partition, most, size)

    def take(
        self, partition: TopicPartition, records: Sequence[ConsumerRecord[bytes, bytes]]
    ) -> None:
        """Keep polled records; ones before the lane's offset are from before it was opened."""
        if not self._open or self._ending:
            return
        for record in records:
            if self._next[partition] <= record.offset and not self._beyond(
                partition, record.offset
            ):
                self._buffer.add(partition, record_of(record))
                self._next[partition] = record.offset + 1
        self._arrival.set()

    def _beyond(self, partition: TopicPartition, offset: int) -> bool:
        end = self._end.get(partition)
        return end is not None and offset >= end

    def behind(self) -> int:
        """Records not polled yet."""
        return len(self._buffer) + sum(map(self._unread, self.partitions))

    def _unread(self, partition: TopicPartition) -> int:
        try:
            end = self.transport.consumer.highwater(partition)
        except (KafkaError, AssertionError):  # not assigned at this moment
            return 0
        return max(0, (end or 0) - self._next[partition])

    def end(self) -> None:
        """Give out nothing more."""
        self._ending = True
        self._arrival.set()

    # ---- the runner's side ----

    async def state(self) -> AsyncIterator[Record]:
        """The committed records of the partition of the same number of the state's topic."""
        transport, (source, number) = self.transport, self.partitions[0]
        source = origin_of(source, transport.origin)
        topic = transport.topic(Channel.STATE, source) if source else None
        if topic is not None:
            await made_like(transport.kafka, topic, source)
            async for record in kept(transport.kafka, TopicPartition(topic, number)):
                yield record_of(record)

    async def batches(self) -> AsyncIterator[Sequence[Record]]:
        """Batches within the bounds of records and bytes."""
        if not self._open and not await self.rewind():
            return
        while not self._ending:
            if len(self._buffer):
                behind = await self._waited_for()
                if not self._ending:
                    yield self._buffer.cut(
                        self.transport.batch_records, self.transport.batch_bytes, behind
                    )
                    self.transport.wake.set()
            elif None in self._end.values():
                self._arrival.clear()
                await self._arrival.wait()
            elif all([await self._over(partition) for partition in self.partitions]):
                return
            else:
                await asyncio.sleep(END_SECONDS)

    async def _over(self, partition: TopicPartition) -> bool:
        return self._beyond(partition, await self.transport.consumer.position(partition))

    async def _waited_for(self) -> list[TopicPartition]:
        """Return the partitions that have more to come, once each has some of it, or for a while.

        Then the earliest record is known, whatever the broker gives out first.
        """
        if len(self.partitions) == 1:
            return []
        until = asyncio.get_running_loop().time() + PATIENCE
        while True:
            behind = [p for p in self.partitions if await self._more(p)]
            left = until - asyncio.get_running_loop().time()
            if self._ending or left <= 0 or not self._buffer.empty(behind):
                return behind
            self._arrival.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._arrival.wait(), left)

    async def _more(self, partition: TopicPartition) -> bool:
        """Say whether the broker has more committed records than were polled, as far as known."""
        consumer = self.transport.consumer
        try:
            end = consumer.last_stable_offset(partition)
            return end is None or await consumer.position(partition) < end
        except (KafkaError, AssertionError):  # not assigned at this moment
            return False

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[KafkaTransaction]:
        """One Kafka transaction, or (at least once) one flush and commit."""
        producer = self.producer
        if producer is None:
            raise TransportError("send-failed")
        transaction = KafkaTransaction(self, producer)
        await transaction.begin()
        try:
            yield transaction
            await transaction.commit()
        except BaseException:
            await transaction.abort()
            raise

    async def rewind(self) -> bool:
        """A new producer, which fences the one before; then the committed offset; then seek."""
        self._open = False
        self._buffer.clear()
        await self._release_producer()
        if self._ending:
            return False
        self.producer = await self._producer()
        for partition in self.partitions:
            self._next[partition] = await self._committed(self.producer, partition)
            if partition not in self._end:
                self._end[partition] = await bounded(self.transport.end_of(partition), 60)
        if self._ending or not self.transport.consumer.assignment().issuperset(self.partitions):
            return False
        for partition in self.partitions:
            self.transport.consumer.seek(partition, self._next[partition])
        self._open = True
        self.transport.wake.set()
        return True

    async def _producer(self) -> AIOKafkaProducer:
        transport = self.transport
        own = f"{transport.kafka.app}-{self.name}" if transport.exactly_once else None
        producer = AIOKafkaProducer(**producer_options(transport.kafka, own))
        try:
            await bounded(producer.start(), transport.kafka.transaction_timeout_ms / 1000 + 10)
        except BaseException:
            await quietly(producer.stop())
            raise
        return producer

    async def _committed(self, producer: AIOKafkaProducer, partition: TopicPartition) -> int:
        transport, (topic, number) = self.transport, partition
        found = stable_offset(producer.client, transport.kafka.consumer_group, topic, number)
        offset: int | None = await bounded(found, 60)
        if offset is not None:
            return offset
        consumer, earliest = transport.consumer, transport.kafka.start == "earliest"
        ask = consumer.beginning_offsets if earliest else consumer.end_offsets
        offsets: dict[TopicPartition, int] = await bounded(ask([partition]), 60)
        return offsets[partition]

    async def _release_producer(self) -> None:
        producer, self.producer = self.producer, None
        if producer is not None:
            await quietly(producer.stop())

    async def close(self) -> None:
        """Stop the producer."""
        self.end()
        await self._release_producer()
        self.closed.set()
        self.transport.closed(self)


@dataclass(slots=True)
class KafkaTransaction:
    """Sends under way, and the offsets they settle."""

    lane: KafkaLane
    producer: AIOKafkaProducer
    offsets: dict[TopicPartition, int] = field(default_factory=dict)
    sends: list[asyncio.Future[Any]] = field(default_factory=list)

    @property
    def _seconds(self) -> float:
        return self.lane.transport.kafka.transaction_timeout_ms / 1000

    async def begin(self) -> None:
        """Begin it."""
        if self.lane.transport.exactly_once:
            await bounded(self.producer.begin_transaction(), self._seconds)

    async def send(self, channel: Channel, record: Record) -> None:
        """Hand a record to the producer; whether it arrived shows at the commit.

        A record without a key goes to the partition of its source's number.

        Raises:
            RefusedError: it is too large, or has neither key nor value.
        """
        transport = self.lane.transport
        topic = transport.topic(channel, record.position.topic)
        if topic is not None:
            keeps = transport.kafka.timestamps == "keep"
            sending = sent(self.producer, topic, channel, record, keeps_times=keeps)
            self.sends.append(await bounded(sending, self._seconds))

    async def advance(self, position: Position) -> None:
        """Keep the offset for the commit."""
        self.offsets[TopicPartition(position.topic, position.partition)] = position.offset + 1

    async def commit(self) -> None:
        """Everything arrived, offsets with it, or a failure.

        Raises:
            TransportError: some of it did not happen.
        """
        await bounded(self._arrived(), self._seconds)
        if not self.offsets:
            return
        transport, offsets = self.lane.transport, self.offsets
        if transport.exactly_once:
            group = transport.kafka.consumer_group
            await bounded(self.producer.send_offsets_to_transaction(offsets, group), self._seconds)
            await bounded(self.producer.commit_transaction(), self._seconds)
        else:
            await bounded(transport.consumer.commit(offsets), self._seconds)

    async def _arrived(self) -> None:
        if not self.lane.transport.exactly_once:
            await self.producer.flush()
        outcomes = await asyncio.gather(*self.sends, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome

    async def abort(self) -> None:
        """Give up; what cannot be aborted now is aborted by the next producer of the id."""
        for send in self.sends:
            send.add_done_callback(_seen)
        if self.lane.transport.exactly_once:
            await quietly(self.producer.abort_transaction())


def _seen(send: asyncio.Future[Any]) -> None:
    """Look at a failure, so that nobody logs it as never looked at."""
    if not send.cancelled():
        send.exception()


def record_of(record: ConsumerRecord[bytes, bytes]) -> Record:
    """A record as the program has it."""
    return Record(
        value=record.value,
        position=Position(record.topic, record.partition, record.offset),
        key=record.key,
        headers=tuple((name, value or b"") for name, value in record.headers),
        timestamp=record.timestamp,
    )
