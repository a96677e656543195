"""An in-process broker for tests and embedding: topics, keys, groups, fenced transactions.

Every step of its protocol calls :attr:`Broker.step`, so that a test can make the process die
between any two of them and start another over the same broker.
"""

from __future__ import annotations

import asyncio
import zlib
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from adapter.transports.protocol import Channel, RefusedError, TransportError
from adapter.types import Position, Record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

Partition = tuple[str, int]


@dataclass(slots=True)
class Broker:
    """Topics of partitions of records; offsets of groups; epochs of transactional ids."""

    partitions: int = 1
    max_bytes: int = 1 << 30
    step: Callable[[str], None] = field(default=lambda _name: None, repr=False)
    topics: dict[str, list[list[Record]]] = field(default_factory=dict, repr=False)
    offsets: dict[Partition, int] = field(default_factory=dict)
    epochs: dict[Partition, int] = field(default_factory=dict)
    arrival: asyncio.Event = field(default_factory=asyncio.Event, repr=False)

    def log(self, topic: str) -> list[list[Record]]:
        """The topic's partitions, made on first use."""
        return self.topics.setdefault(topic, [[] for _ in range(self.partitions)])

    def records(self, topic: str) -> list[Record]:
        """All records of a topic, partition by partition."""
        return [record for partition in self.log(topic) for record in partition]

    def append(self, topic: str, record: Record, partition: int | None = None) -> None:
        """Write a record to the partition given, else to that of its key."""
        log = self.log(topic)
        if partition is None and record.key is not None:
            partition = zlib.crc32(record.key)
        number = (partition or 0) % len(log)
        log[number].append(replace(record, position=Position(topic, number, len(log[number]))))
        self.arrival.set()

    def fence(self, lane: Partition) -> int:
        """A new epoch for the lane's producer; every older one is refused from now on."""
        self.epochs[lane] = self.epochs.get(lane, 0) + 1
        return self.epochs[lane]

    def commit(
        self,
        lane: Partition,
        epoch: int,
        sent: Sequence[tuple[str, Record, int | None]],
        upto: int | None,
    ) -> None:
        """Make a transaction's records and progress visible, both or neither.

        Raises:
            TransportError: a newer producer has fenced this one.
        """
        if self.epochs[lane] != epoch:
            raise TransportError("send-failed")
        for topic, record, partition in sent:
            self.append(topic, record, partition)
        if upto is not None:
            self.offsets[lane] = upto + 1


@dataclass(slots=True)
class MemoryTransport:
    """All partitions of some topics of a broker; ends at their ends unless it is to follow."""

    broker: Broker
    topics: tuple[str, ...] = ("in",)
    outputs: dict[Channel, str] = field(default_factory=lambda: {c: c.value for c in Channel})
    batch_records: int = 100
    follow: bool = False
    one_feed: bool = False
    lasting_positions: bool = True
    draining: bool = False

    async def start(self) -> None:
        """Nothing to connect."""

    async def lanes(self) -> AsyncIterator[MemoryLane]:
        """One lane for each partition."""
        for topic in self.topics:
            for number in range(len(self.broker.log(topic))):
                yield MemoryLane(self, (topic, number))

    def drain(self) -> None:
        """End the lanes after the batches they have given out."""
        self.draining = True
        self.broker.arrival.set()

    async def stop(self) -> None:
        """Nothing to let go of."""

    def public(self, topic: str) -> str:
        """The topic: its name is the program's own."""
        return topic

    def lag(self) -> dict[str, int]:
        """Records after the committed offsets."""
        return {
            f"{topic}-{number}": len(log) - self.broker.offsets.get((topic, number), 0)
            for topic in self.topics
            for number, log in enumerate(self.broker.log(topic))
        }


@dataclass(slots=True)
class MemoryLane:
    """One partition, with a producer that fences the one before it."""

    transport: MemoryTransport
    partition: Partition
    epoch: int = 0
    at: int = 0

    @property
    def name(self) -> str:
        """Topic and partition."""
        return f"{self.partition[0]}-{self.partition[1]}"

    async def batches(self) -> AsyncIterator[Sequence[Record]]:
        """Batches from the committed offset on, read after fencing."""
        if not self.epoch:
            await self.rewind()
        while not self.transport.draining:
            batch = self._next()
            if batch:
                self.at += len(batch)
                yield batch
            elif self.transport.follow:
                await self.transport.broker.arrival.wait()
            else:
                return

    def _next(self) -> Sequence[Record]:
        broker = self.transport.broker
        broker.step("poll")
        topic, number = self.partition
        batch = broker.log(topic)[number][self.at : self.at + self.transport.batch_records]
        if not batch:
            broker.arrival.clear()
        return batch

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[MemoryTransaction]:
        """A transaction of this lane's producer."""
        broker = self.transport.broker
        broker.step("begin")
        transaction = MemoryTransaction(self)
        yield transaction
        broker.step("before-commit")
        broker.commit(self.partition, self.epoch, transaction.sent, transaction.upto)
        broker.step("after-commit")

    async def state(self) -> AsyncIterator[Record]:
        """The records of the state's partition of the same number."""
        topic, number = self.transport.outputs[Channel.STATE], self.partition[1]
        for record in tuple(self.transport.broker.log(topic)[number]):
            yield record

    async def rewind(self) -> bool:
        """Fence, then read the committed offset."""
        broker = self.transport.broker
        broker.step("fence")
        self.epoch = broker.fence(self.partition)
        broker.step("committed")
        self.at = broker.offsets.get(self.partition, 0)
        return True

    async def close(self) -> None:
        """Nothing to give up."""


@dataclass(slots=True)
class MemoryTransaction:
    """Writes kept back until the commit."""

    lane: MemoryLane
    sent: list[tuple[str, Record, int | None]] = field(default_factory=list, repr=False)
    upto: int | None = None

    async def send(self, channel: Channel, record: Record) -> None:
        """Keep a record for the commit."""
        transport = self.lane.transport
        transport.broker.step(f"send-{channel}")
        if len(record.value or b"") > transport.broker.max_bytes:
            raise RefusedError("too-large")
        keyed = record.key is not None and channel is not Channel.STATE
        partition = None if keyed else record.position.partition
        self.sent.append((transport.outputs[channel], record, partition))

    async def advance(self, position: Position) -> None:
        """Keep the progress for the commit."""
        self.lane.transport.broker.step("advance")
        self.upto = position.offset
