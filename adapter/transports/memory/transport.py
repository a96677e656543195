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

from adapter.transports.merging import Buffer, numbered, refuse_uneven
from adapter.transports.protocol import Channel, RefusedError, TransportError
from adapter.types import Position, Record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from adapter.sealing.chain import Chain, Signer

Partition = tuple[str, int]


@dataclass(slots=True)
class Broker:
    """The stored state: topics of partitions of records, committed offsets, producer epochs."""

    partitions: int = 1
    max_bytes: int = 1 << 30
    step: Callable[[str], None] = field(default=lambda _name: None, repr=False)
    topics: dict[str, list[list[Record]]] = field(default_factory=dict, repr=False)
    offsets: dict[Partition, int] = field(default_factory=dict)
    epochs: dict[str, int] = field(default_factory=dict)
    """Lane name -> epoch of its producer."""
    tokens: dict[str, str] = field(default_factory=dict)
    """Lane name -> token of its chain of audit records."""
    arrival: asyncio.Event = field(default_factory=asyncio.Event, repr=False)

    def log(self, topic: str) -> list[list[Record]]:
        """Return the topic's partitions, created on first use."""
        return self.topics.setdefault(topic, [[] for _ in range(self.partitions)])

    def records(self, topic: str) -> list[Record]:
        """Return all records of a topic, partition by partition."""
        return [record for partition in self.log(topic) for record in partition]

    def append(self, topic: str, record: Record, partition: int | None = None) -> None:
        """Append a record to the given partition, else to that of its key."""
        log = self.log(topic)
        if partition is None and record.key is not None:
            partition = zlib.crc32(record.key)
        number = (partition or 0) % len(log)
        log[number].append(replace(record, position=Position(topic, number, len(log[number]))))
        self.arrival.set()

    def fence(self, lane: str) -> int:
        """Return a new epoch of the lane's producer; older epochs are refused from now on."""
        self.epochs[lane] = self.epochs.get(lane, 0) + 1
        return self.epochs[lane]

    def commit(
        self,
        lane: str,
        epoch: int,
        sent: Sequence[tuple[str, Record, int | None]],
        offsets: Mapping[Partition, int],
        token: str = "",
    ) -> None:
        """Make a transaction's records and progress visible together.

        Raises:
            TransportError: "fenced", a newer producer has fenced this one.
        """
        if self.epochs[lane] != epoch:
            raise TransportError("fenced")
        for topic, record, partition in sent:
            self.append(topic, record, partition)
        self.offsets |= offsets
        self.tokens[lane] = token


@dataclass(slots=True)
class MemoryTransport:
    """A transport over all partitions of some topics; ends at their ends unless ``follow``.

    With ``joined``, partitions with the same number are one lane: all topics share a memory.
    """

    broker: Broker
    topics: tuple[str, ...] = ("in",)
    outputs: dict[Channel, str] = field(default_factory=lambda: {c: c.value for c in Channel})
    batch_records: int = 100
    follow: bool = False
    one_feed: bool = False
    lasting_positions: bool = True
    draining: bool = False
    joined: bool = False
    signer: Signer | None = None

    async def start(self) -> None:
        """Check the topics.

        Raises:
            RuleError: topics that share a memory have different numbers of partitions.
        """
        if self.joined:
            refuse_uneven({topic: len(self.broker.log(topic)) for topic in self.topics})

    async def lanes(self) -> AsyncIterator[MemoryLane]:
        """Yield a lane for each partition, or if joined for each partition number."""
        every = [(t, n) for t in self.topics for n in range(len(self.broker.log(t)))]
        if self.joined:
            for number, same in numbered(every, self.topics).items():
                yield MemoryLane(self, same, f"domain-{number}")
            return
        for topic, number in every:
            yield MemoryLane(self, ((topic, number),), f"{topic}-{number}")

    def drain(self) -> None:
        """End the lanes after the batches they have yielded."""
        self.draining = True
        self.broker.arrival.set()

    async def stop(self) -> None:
        """Do nothing."""

    def public(self, topic: str) -> str:
        """Return the topic, whose name the program chose."""
        return topic

    def lag(self) -> dict[str, int]:
        """Return the number of records after each committed offset."""
        return {
            f"{topic}-{number}": len(log) - self.broker.offsets.get((topic, number), 0)
            for topic in self.topics
            for number, log in enumerate(self.broker.log(topic))
        }

    def lacking(self) -> tuple[str, ...]:
        """Return nothing: memory needs no other service."""
        return ()


@dataclass(slots=True)
class MemoryLane:
    """One partition, or those with one number, with a producer that fences the previous one."""

    transport: MemoryTransport
    partitions: tuple[Partition, ...]
    name: str
    epoch: int = 0
    at: dict[Partition, int] = field(default_factory=dict)
    chain: Chain | None = None

    async def batches(self) -> AsyncIterator[Sequence[Record]]:
        """Yield batches from the committed offset on, read after fencing."""
        if not self.epoch:
            await self.rewind()
        while not self.transport.draining:
            batch = self._next()
            if batch:
                for record in batch:
                    self.at[record.position.topic, record.position.partition] += 1
                yield batch
            elif self.transport.follow:
                await self.transport.broker.arrival.wait()
            else:
                return

    def _next(self) -> Sequence[Record]:
        broker = self.transport.broker
        broker.step("poll")
        most = self.transport.batch_records
        waiting = Buffer(self.partitions)
        for topic, number in self.partitions:
            at = self.at[topic, number]
            for record in broker.log(topic)[number][at : at + most]:
                waiting.add((topic, number), record)
        batch = waiting.cut(most)
        if not batch:
            broker.arrival.clear()
        return batch

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[MemoryTransaction]:
        """Open a transaction of this lane's producer."""
        broker = self.transport.broker
        broker.step("begin")
        transaction = MemoryTransaction(self, self.chain)
        yield transaction
        broker.step("before-commit")
        chain = transaction.chain
        token = chain.token if chain else ""
        broker.commit(self.name, self.epoch, transaction.sent, transaction.offsets, token)
        self.chain = chain
        broker.step("after-commit")

    async def state(self) -> AsyncIterator[Record]:
        """Yield the records of the state topic's partition with the same number."""
        topic, number = self.transport.outputs[Channel.STATE], self.partitions[0][1]
        for record in tuple(self.transport.broker.log(topic)[number]):
            yield record

    async def rewind(self) -> bool:
        """Fence, then read the committed offset."""
        broker = self.transport.broker
        broker.step("fence")
        self.epoch = broker.fence(self.name)
        broker.step("committed")
        if signer := self.transport.signer:
            token = broker.tokens.get(self.name, "")
            self.chain = signer.resume(token) or signer.begin(self.name)
        self.at = {partition: broker.offsets.get(partition, 0) for partition in self.partitions}
        return True

    async def close(self) -> None:
        """Do nothing."""


@dataclass(slots=True)
class MemoryTransaction:
    """Writes that take effect at the commit."""

    lane: MemoryLane
    chain: Chain | None = None
    sent: list[tuple[str, Record, int | None]] = field(default_factory=list, repr=False)
    offsets: dict[Partition, int] = field(default_factory=dict)

    async def send(self, channel: Channel, record: Record) -> None:
        """Add a record to the transaction; RefusedError if it is too large."""
        transport = self.lane.transport
        transport.broker.step(f"send-{channel}")
        if len(record.value or b"") > transport.broker.max_bytes:
            raise RefusedError("too-large")
        if channel is Channel.AUDIT and self.chain is not None:
            value, self.chain = self.chain.add(record.value or b"")
            record = replace(record, value=value)
        keyed = record.key is not None and channel is not Channel.STATE
        partition = None if keyed else record.position.partition
        self.sent.append((transport.outputs[channel], record, partition))

    async def advance(self, position: Position) -> None:
        """Set the offset to commit."""
        self.lane.transport.broker.step("advance")
        self.offsets[position.topic, position.partition] = position.offset + 1
