"""A Kafka lane: one input partition, or one of each topic, and the producer that settles it."""

from __future__ import annotations

import asyncio
import contextlib
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol

from aiokafka import AIOKafkaProducer, TopicPartition
from aiokafka.errors import KafkaError

from adapter.audit import Event, log
from adapter.transports.kafka.chaining import Progress, Settled
from adapter.transports.kafka.client import producer_options
from adapter.transports.kafka.extents import extents
from adapter.transports.kafka.failures import bounded, quietly
from adapter.transports.kafka.offsets import stable_offset
from adapter.transports.kafka.state import kept, made_like, origin_of
from adapter.transports.kafka.transaction import KafkaTransaction
from adapter.transports.merging import Buffer
from adapter.transports.protocol import Cause, Channel, TransportError
from adapter.types import Position, Record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from aiokafka import AIOKafkaConsumer, ConsumerRecord

    from adapter.config.kafka import Kafka
    from adapter.sealing.chain import Signer
    from adapter.transports.kafka.extents import Extent

END_SECONDS = 0.1
PATIENCE = 1.0
"""Seconds to wait for a topic's records, which may be earlier than those of another topic."""


class LaneOwner(Protocol):
    """The interface of the transport that a lane uses."""

    kafka: Kafka
    origin: str
    batch_records: int
    batch_bytes: int
    exactly_once: bool
    signer: Signer | None
    wake: asyncio.Event
    consumer: AIOKafkaConsumer

    def topic(self, channel: Channel, source: str) -> str | None:
        """Return the topic of a channel, or None if it has none."""

    async def end_of(self, partition: TopicPartition) -> int | None:
        """Return the offset at which the lane ends, or None if it is unbounded."""

    def closed(self, lane: KafkaLane) -> None:
        """Note that a lane has ended."""


class KafkaLane:
    """One input partition, or those with one number, and the producer that settles them."""

    def __init__(self, transport: LaneOwner, *partitions: TopicPartition, name: str = "") -> None:
        self.transport = transport
        self.partitions = partitions
        self.name = name or f"{partitions[0].topic}-{partitions[0].partition}"
        """Name of the lane; the transactional id is the application's name followed by it."""
        self.closed = asyncio.Event()
        self.producer: AIOKafkaProducer | None = None
        self.settled = Settled()
        self._buffer = Buffer(partitions)
        self._next = dict.fromkeys(partitions, 0)
        self._end: dict[TopicPartition, int | None] = {}
        self._open = self._resumed = False
        self._ending = self._paused = False
        self._lost = ""
        """A topic that returned a record with an offset already read; "" if none did."""
        self._arrival = asyncio.Event()

    @property
    def opened(self) -> bool:
        """Whether the lane has fenced its predecessor and found the committed offset."""
        return self._open

    # ---- the polling side ----

    def hungry(self, partition: TopicPartition) -> bool:
        """Whether the lane has an offset to read from and room for records of a partition."""
        most, size = 2 * self.transport.batch_records, self.transport.batch_bytes
        at_work = self._open and not self._ending and not self._paused
        return at_work and self._buffer.room(partition, most, size)

    def pause(self, *, paused: bool) -> None:
        """Stop or resume yielding batches; the partitions stay assigned."""
        self._paused = paused
        self._arrival.set()
        self.transport.wake.set()

    def take(
        self, partition: TopicPartition, records: Sequence[ConsumerRecord[bytes, bytes]]
    ) -> None:
        """Buffer polled records; those that arrive before the lane is open are ignored.

        The client returns the requested offset unless the broker no longer has it. A smaller offset
        therefore means another record under an offset that this lane has read: the offset is lost.
        """
        if not self._open or self._ending:
            return
        for record in records:
            if record.offset < self._next[partition]:
                self._lost = partition.topic
            if self._lost or self._beyond(partition, record.offset):
                break
            self._buffer.add(partition, record_of(record))
            self._next[partition] = record.offset + 1
        self._arrival.set()

    def _beyond(self, partition: TopicPartition, offset: int) -> bool:
        end = self._end.get(partition)
        return end is not None and offset >= end

    def behind(self) -> int:
        """Return the number of records after the last commit, as far as known."""
        return sum(map(self._unsettled, self.partitions))

    def _unsettled(self, partition: TopicPartition) -> int:
        try:
            end = self.transport.consumer.highwater(partition)
        except (KafkaError, AssertionError):  # not assigned at this moment
            return 0
        return max(0, (end or 0) - self.settled.offsets.get(partition, self._next[partition]))

    def end(self) -> None:
        """Yield no further batch."""
        self._ending = True
        self._arrival.set()

    # ---- the runner's side ----

    async def state(self) -> AsyncIterator[Record]:
        """Yield the committed records of the state topic's partition with the same number."""
        transport, (source, number) = self.transport, self.partitions[0]
        source = origin_of(source, transport.origin)
        topic = transport.topic(Channel.STATE, source) if source else None
        if topic is not None:
            await made_like(transport.kafka, topic, source)
            empty = True
            async for record in kept(transport.kafka, TopicPartition(topic, number)):
                empty = False
                yield record_of(record)
            if empty and self._resumed:
                log(Event.MEMORY_EMPTY, "warning", lane=self.name, topic=topic)

    async def batches(self) -> AsyncIterator[Sequence[Record]]:
        """Yield batches within the limits of records and bytes."""
        if not self._open and not await self.rewind():
            return
        while not self._ending:
            if self._lost:
                raise TransportError("offset-lost", Cause(topic=self._lost))
            if len(self._buffer) and not self._paused:
                behind = await self._wait_for_each()
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

    async def _wait_for_each(self) -> list[TopicPartition]:
        """Wait up to `PATIENCE` for a record of each unfinished partition; return those partitions.

        The earliest record is then known, whatever order the broker answers in.
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
        """Return whether the broker is known to have committed records that were not polled yet."""
        consumer = self.transport.consumer
        try:
            end = consumer.last_stable_offset(partition)
            return end is None or await consumer.position(partition) < end
        except (KafkaError, AssertionError):  # not assigned at this moment
            return False

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[KafkaTransaction]:
        """Open a Kafka transaction, or for at-least-once a flush and a commit."""
        producer = self.producer
        if producer is None:
            raise TransportError("send-failed")
        progress = Progress(self.settled, self.settled.chain)
        transaction = KafkaTransaction(self.transport, producer, progress)
        await transaction.begin()
        try:
            yield transaction
            await transaction.commit()
        except TransportError as error:
            cause = transaction.cause(error)
            await transaction.abort()
            raise cause from None
        except BaseException:
            await transaction.abort()
            raise

    async def rewind(self) -> bool:
        """Start a producer, which fences the last one, then seek to the committed offset."""
        self._open = False
        self._buffer.clear()
        await self._release_producer()
        if self._ending:
            return False
        if self._lost:  # until the group's offsets are reset, for which the service must stop
            raise TransportError("offset-lost", Cause(topic=self._lost))
        self.producer = await self._producer()
        known = {each: await self._committed(self.producer, each) for each in self.partitions}
        self._resumed = any(found and found[0] for found in known.values())
        begun = self._begun(known, await extents(self.transport.consumer, self.partitions))
        for partition in self.partitions:
            if partition not in self._end:
                self._end[partition] = await bounded(self.transport.end_of(partition), 60)
        await self._commit_begin(self.producer, begun)
        if self._ending or not self.transport.consumer.assignment().issuperset(self.partitions):
            return False
        self.settled = Settled(dict(self._next))
        tokens = [found[1] for found in known.values() if found is not None]
        self.settled.resume(
            self.transport.signer, f"{self.transport.kafka.app}-{self.name}", tokens
        )
        for partition in self.partitions:
            self.transport.consumer.seek(partition, self._next[partition])
        self._open = True
        self.transport.wake.set()
        return True

    def _begun(
        self,
        known: Mapping[TopicPartition, tuple[int, str] | None],
        there: Mapping[TopicPartition, Extent],
    ) -> dict[TopicPartition, int]:
        """Set where each partition continues; return start offsets of those without a commit."""
        begun = {}
        for partition, found in known.items():
            extent = there[partition]
            if found is not None:
                self._next[partition] = extent.continued(found[0], self.name)
            else:
                earliest = self.transport.kafka.start == "earliest"
                begun[partition] = extent.begin if earliest else extent.end
        self._next |= begun
        return begun

    async def _commit_begin(
        self, producer: AIOKafkaProducer, begun: dict[TopicPartition, int]
    ) -> None:
        """Commit a new group's start if it is the end of the input, which moves until then."""
        if begun and self.transport.kafka.start == "latest":
            progress = Progress(Settled(), None, dict(begun))
            transaction = KafkaTransaction(self.transport, producer, progress)
            await transaction.begin()
            await transaction.commit()

    async def _producer(self) -> AIOKafkaProducer:
        transport = self.transport
        own = f"{transport.kafka.app}-{self.name}" if transport.exactly_once else None
        producer = AIOKafkaProducer(**producer_options(transport.kafka, own))
        try:
            limit = transport.kafka.transaction_timeout_ms / 1000 + 10
            await bounded(producer.start(), limit, resource=f"transactional id {own}")
        except BaseException:
            await quietly(producer.stop())
            raise
        return producer

    async def _committed(
        self, producer: AIOKafkaProducer, partition: TopicPartition
    ) -> tuple[int, str] | None:
        """Return the group's offset and the chain token committed with it, or None without one."""
        transport, (topic, number) = self.transport, partition
        found = stable_offset(producer.client, transport.kafka.consumer_group, topic, number)
        known: tuple[int, str] | None = await bounded(found, 60)
        return known if known is None or transport.exactly_once else (known[0], "")

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


def record_of(record: ConsumerRecord[bytes, bytes]) -> Record:
    """Return a consumed record as a `Record`."""
    return Record(
        value=record.value,
        position=Position(record.topic, record.partition, record.offset),
        key=record.key,
        headers=tuple((name, value or b"") for name, value in record.headers),
        timestamp=record.timestamp,
    )
