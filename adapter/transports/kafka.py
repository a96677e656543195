"""Kafka: a lane per assigned input partition, each with a producer that fences its predecessor.

aiokafka sends no group metadata with transactional offsets (KIP-447), so a rebalance alone fences
nobody. Each input partition therefore has its own transactional id: whoever is assigned it starts
a producer of that id, which ends and fences the one before, and only then reads the committed
offset. A late owner can commit nothing after that.

One task polls; the loop is free while workers work, so that heartbeats, which share it, are never
late. A lane that is full is not polled: its records wait at the broker, other lanes go on.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections import deque
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, ConsumerRebalanceListener, TopicPartition
from aiokafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from aiokafka.errors import (
    GroupAuthorizationFailedError,
    KafkaError,
    MessageSizeTooLargeError,
    RecordListTooLargeError,
    TopicAuthorizationFailedError,
)

from adapter.audit import Event, log
from adapter.transports.kafka_client import consumer_options, input_pattern, producer_options
from adapter.transports.kafka_offsets import stable_offset
from adapter.transports.protocol import Channel, RefusedError, TransportError
from adapter.types import Position, Record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Sequence

    from aiokafka import ConsumerRecord

    from adapter.config import Kafka, Workers

POLL_MS = 50
STOP_SECONDS = 5.0
TOO_LARGE = (MessageSizeTooLargeError, RecordListTooLargeError)
FORBIDDEN = (GroupAuthorizationFailedError, TopicAuthorizationFailedError)


async def _bounded(call: Awaitable[Any], seconds: float) -> Any:
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


async def _quietly(call: Awaitable[Any]) -> None:
    """A call whose failure changes nothing: the next producer of the id cleans up after it."""
    with contextlib.suppress(TransportError):
        await _bounded(call, STOP_SECONDS)


class KafkaTransport:
    """All assigned partitions of the input topics."""

    def __init__(self, kafka: Kafka, workers: Workers) -> None:
        self.kafka = kafka
        self.batch_records = workers.batch_records
        self.batch_bytes = workers.batch_bytes
        self.drain_seconds = workers.drain_seconds
        self.exactly_once = kafka.guarantee == "exactly-once"
        self.wake = asyncio.Event()
        self._lanes: dict[TopicPartition, KafkaLane] = {}
        self._new: asyncio.Queue[KafkaLane | None] = asyncio.Queue()
        self._pump: asyncio.Task[None] | None = None
        self._draining = False
        self.consumer: AIOKafkaConsumer

    async def start(self) -> None:
        """Join the group.

        Raises:
            KafkaError: no broker answers, or none lets us in.
        """
        if not self.exactly_once:
            log(Event.WEAK_GUARANTEE, "warning", guarantee=self.kafka.guarantee)
        self.consumer = AIOKafkaConsumer(
            partition_assignment_strategy=[RoundRobinPartitionAssignor],
            **consumer_options(self.kafka),
        )
        await self.consumer.start()
        if self.kafka.pattern is not None:
            pattern = input_pattern(self.kafka)
            re.compile(pattern)
            self.consumer.subscribe(pattern=pattern, listener=_Assignments(self))
        else:
            self.consumer.subscribe(topics=list(self.kafka.topics), listener=_Assignments(self))
        self._pump = asyncio.create_task(self._poll())
        self._pump.add_done_callback(lambda _task: self._new.put_nowait(None))

    async def lanes(self) -> AsyncIterator[KafkaLane]:
        """Lanes as partitions are assigned; ends on draining.

        Raises:
            KafkaError: polling failed for good.
        """
        while (lane := await self._new.get()) is not None:
            yield lane
        if self._pump is not None and self._pump.done() and not self._pump.cancelled():
            self._pump.result()

    def drain(self) -> None:
        """Take nothing more; lanes end after the batches they have given out."""
        self._draining = True
        for lane in self._lanes.values():
            lane.end()
        self._new.put_nowait(None)

    async def stop(self) -> None:
        """Leave the group."""
        if self._pump is not None:
            self._pump.cancel()
            await asyncio.gather(self._pump, return_exceptions=True)
        await _quietly(self.consumer.stop())

    def public(self, topic: str) -> str:
        """The topic: its name is the operator's own."""
        return topic

    def lag(self) -> dict[str, int]:
        """Records between what was polled and each partition's end, where known."""
        return {lane.name: lane.behind() for lane in self._lanes.values()}

    def topic(self, channel: Channel, source: str) -> str | None:
        """Where records of a channel go; None when nowhere."""
        names = {
            Channel.RELEASED: self.kafka.output,
            Channel.HELD: self.kafka.quarantine,
            Channel.AUDIT: self.kafka.audit,
        }
        name = names[channel]
        return name.replace("{topic}", source) if name else None

    # ---- assignment ----

    async def revoked(self) -> None:
        """End all lanes, and give their batches in work some time to be committed.

        Heartbeats go on meanwhile. A lane that is late is fenced by the partition's next owner.
        """
        lanes = list(self._lanes.values())
        self._lanes.clear()
        for lane in lanes:
            lane.end()
        if lanes:
            log(Event.REVOKED, partitions=len(lanes))
            closing = [asyncio.create_task(lane.closed.wait()) for lane in lanes]
            _done, late = await asyncio.wait(closing, timeout=self.drain_seconds)
            for task in late:
                task.cancel()

    def assigned(self, partitions: set[TopicPartition]) -> None:
        """Open a lane for each partition; each fences and seeks in its own task."""
        log(Event.ASSIGNED, partitions=len(partitions))
        if self._draining:
            return
        for partition in sorted(partitions):
            lane = KafkaLane(self, partition)
            self._lanes[partition] = lane
            self._new.put_nowait(lane)

    # ---- polling ----

    async def _poll(self) -> None:
        """Move records from the consumer to the lanes that have room."""
        while True:
            hungry = [p for p, lane in self._lanes.items() if lane.hungry()]
            if not hungry:
                self.wake.clear()
                await self.wake.wait()
                continue
            try:
                fetched = await self.consumer.getmany(*hungry, timeout_ms=POLL_MS)
            except FORBIDDEN:
                raise
            except KafkaError as error:
                log(Event.FAILED, "warning", error=error)
                await asyncio.sleep(1)
                continue
            for partition, records in fetched.items():
                if (lane := self._lanes.get(partition)) is not None:
                    lane.take(records)


class _Assignments(ConsumerRebalanceListener):  # type: ignore[misc]
    """Tells the transport what it owns."""

    def __init__(self, transport: KafkaTransport) -> None:
        self._transport = transport

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        """The group rebalances: everything is given up (eager protocol)."""
        if revoked:
            await self._transport.revoked()

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        """The group has rebalanced."""
        self._transport.assigned(assigned)


class KafkaLane:
    """One input partition and the producer that settles it."""

    def __init__(self, transport: KafkaTransport, partition: TopicPartition) -> None:
        self.transport = transport
        self.partition = partition
        self.closed = asyncio.Event()
        self.producer: AIOKafkaProducer | None = None
        self._buffer: deque[Record] = deque()
        self._bytes = 0
        self._next = 0
        self._open = False
        self._ending = False
        self._arrival = asyncio.Event()

    @property
    def name(self) -> str:
        """Topic and partition."""
        return f"{self.partition.topic}-{self.partition.partition}"

    # ---- the polling side ----

    def hungry(self) -> bool:
        """Whether it has an offset to read from and room for what comes."""
        room = self._bytes < self.transport.batch_bytes
        return self._open and not self._ending and room and len(self._buffer) < self._most()

    def _most(self) -> int:
        return 2 * self.transport.batch_records

    def take(self, records: Sequence[ConsumerRecord[bytes, bytes]]) -> None:
        """Keep polled records; ones before the lane's offset are from before it was opened."""
        if not self._open or self._ending:
            return
        for record in records:
            if record.offset >= self._next:
                self._buffer.append(_record(record))
                self._bytes += len(record.value or b"")
                self._next = record.offset + 1
        self._arrival.set()

    def behind(self) -> int:
        """Records not polled yet."""
        try:
            end = self.transport.consumer.highwater(self.partition)
        except (KafkaError, AssertionError):  # not assigned at this moment
            return 0
        return max(0, (end or 0) - self._next) + len(self._buffer)

    def end(self) -> None:
        """Give out nothing more."""
        self._ending = True
        self._arrival.set()

    # ---- the runner's side ----

    async def batches(self) -> AsyncIterator[Sequence[Record]]:
        """Batches within the bounds of records and bytes."""
        if not self._open and not await self.rewind():
            return
        while not self._ending:
            if self._buffer:
                yield self._cut()
                self.transport.wake.set()
            else:
                self._arrival.clear()
                await self._arrival.wait()

    def _cut(self) -> Sequence[Record]:
        batch: list[Record] = []
        size = 0
        while self._buffer and len(batch) < self.transport.batch_records:
            length = len(self._buffer[0].value or b"")
            if batch and size + length > self.transport.batch_bytes:
                break
            size += length
            batch.append(self._buffer.popleft())
        self._bytes -= size
        return batch

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
        self._bytes = 0
        await self._release_producer()
        if self._ending:
            return False
        self.producer = await self._producer()
        offset = await self._committed(self.producer)
        if self._ending or self.partition not in self.transport.consumer.assignment():
            return False
        self.transport.consumer.seek(self.partition, offset)
        self._next = offset
        self._open = True
        self.transport.wake.set()
        return True

    async def _producer(self) -> AIOKafkaProducer:
        transport = self.transport
        own = f"{transport.kafka.app}-{self.name}" if transport.exactly_once else None
        producer = AIOKafkaProducer(**producer_options(transport.kafka, own))
        try:
            await _bounded(producer.start(), transport.kafka.transaction_timeout_ms / 1000 + 10)
        except BaseException:
            await _quietly(producer.stop())
            raise
        return producer

    async def _committed(self, producer: AIOKafkaProducer) -> int:
        transport, (topic, number) = self.transport, self.partition
        found = stable_offset(producer.client, transport.kafka.consumer_group, topic, number)
        offset: int | None = await _bounded(found, 60)
        if offset is not None:
            return offset
        consumer, earliest = transport.consumer, transport.kafka.start == "earliest"
        ask = consumer.beginning_offsets if earliest else consumer.end_offsets
        offsets: dict[TopicPartition, int] = await _bounded(ask([self.partition]), 60)
        return offsets[self.partition]

    async def _release_producer(self) -> None:
        producer, self.producer = self.producer, None
        if producer is not None:
            await _quietly(producer.stop())

    async def close(self) -> None:
        """Stop the producer."""
        self.end()
        await self._release_producer()
        self.closed.set()


@dataclass(slots=True)
class KafkaTransaction:
    """Sends under way, and the offset they settle."""

    lane: KafkaLane
    producer: AIOKafkaProducer
    upto: int | None = None
    sends: list[asyncio.Future[Any]] = field(default_factory=list)

    @property
    def _seconds(self) -> float:
        return self.lane.transport.kafka.transaction_timeout_ms / 1000

    async def begin(self) -> None:
        """Begin it."""
        if self.lane.transport.exactly_once:
            await _bounded(self.producer.begin_transaction(), self._seconds)

    async def send(self, channel: Channel, record: Record) -> None:
        """Hand a record to the producer; whether it arrived shows at the commit.

        A record without a key goes to the partition of its source's number.

        Raises:
            RefusedError: it is too large, or has neither key nor value.
        """
        transport = self.lane.transport
        topic = transport.topic(channel, record.position.topic)
        if topic is None:
            return
        if record.key is None and record.value is None:
            raise RefusedError("send-failed")
        kept = channel is Channel.RELEASED and transport.kafka.timestamps == "keep"
        send = self.producer.send(
            topic,
            record.value,
            record.key,
            None if record.key is not None else await self._partition(topic, record.position),
            record.timestamp if kept else None,
            list(record.headers),
        )
        self.sends.append(await _bounded(send, self._seconds))

    async def _partition(self, topic: str, position: Position) -> int:
        partitions = await _bounded(self.producer.partitions_for(topic), self._seconds)
        return position.partition % len(partitions)

    async def advance(self, position: Position) -> None:
        """Keep the offset for the commit."""
        self.upto = position.offset

    async def commit(self) -> None:
        """Everything arrived, offsets with it, or a failure.

        Raises:
            TransportError: some of it did not happen.
        """
        await _bounded(self._arrived(), self._seconds)
        if self.upto is None:
            return
        transport = self.lane.transport
        offsets = {self.lane.partition: self.upto + 1}
        if transport.exactly_once:
            group = transport.kafka.consumer_group
            await _bounded(self.producer.send_offsets_to_transaction(offsets, group), self._seconds)
            await _bounded(self.producer.commit_transaction(), self._seconds)
        else:
            await _bounded(transport.consumer.commit(offsets), self._seconds)

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
            await _quietly(self.producer.abort_transaction())


def _seen(send: asyncio.Future[Any]) -> None:
    """Look at a failure, so that nobody logs it as never looked at."""
    if not send.cancelled():
        send.exception()


def _record(record: ConsumerRecord[bytes, bytes]) -> Record:
    return Record(
        value=record.value,
        position=Position(record.topic, record.partition, record.offset),
        key=record.key,
        headers=tuple((name, value or b"") for name, value in record.headers),
        timestamp=record.timestamp,
    )
