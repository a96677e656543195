"""A lane of the topic target: a producer with its own transactional id."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from aiokafka import AIOKafkaProducer, TopicPartition

from adapter.replay.progress import Progress
from adapter.replay.topic.reading import committed
from adapter.transports.kafka.client import producer_options
from adapter.transports.kafka.failures import bounded, quietly
from adapter.transports.kafka.transaction import sent
from adapter.transports.protocol import Channel, TransportError

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator

    from adapter.config.kafka import Kafka
    from adapter.config.replay import Replay
    from adapter.replay.survey import LaneRange
    from adapter.types import Record

LANE = "lane"
"""Beginning of the names of lanes' records in the topic of progress."""


class LaneOwner(Protocol):
    """The interface that a lane needs of its target."""

    kafka: Kafka
    replay: Replay
    resumes: bool

    def topic(self, channel: Channel, source: str) -> str | None:
        """Return the topic for records of a channel, or None if they are dropped."""

    async def told(self) -> dict[str, bytes]:
        """Return this replay's records in the topic of progress, by name."""

    async def made(self, lane: LaneRange, partitions: int) -> None:
        """Create missing topics of a lane."""


@dataclass(slots=True)
class TopicLane:
    """A lane with its producer, which is None until `progress` starts it."""

    target: LaneOwner
    lane: LaneRange
    own_id: str
    producer: AIOKafkaProducer | None = None

    async def progress(self) -> Progress | None:
        """Fence earlier producers of the lane, then return the committed progress, or None.

        Raises:
            TransportError: the broker does not answer.
        """
        await self.close()
        self.producer = await self._started()
        told = await bounded(self.target.told(), _SECONDS)
        raw = told.get(f"{LANE}/{self.lane.name}")
        return None if raw is None else Progress.unpack(raw)

    async def _started(self) -> AIOKafkaProducer:
        kafka = self.target.kafka
        partitions = self.lane.partitions
        await bounded(self.target.made(self.lane, partitions), _SECONDS)
        producer = AIOKafkaProducer(**producer_options(kafka, self.own_id))
        try:
            await bounded(producer.start(), kafka.transaction_timeout_ms / 1000 + 10)
        except BaseException:
            await quietly(producer.stop())
            raise
        return producer

    async def state(self) -> AsyncIterator[Record]:
        """Yield the records of the state topic's partition with the lane's number."""
        topic = self.target.topic(Channel.STATE, self.lane.topic)
        if topic and self.target.resumes:
            partition = TopicPartition(topic, self.lane.partition)
            async for record in committed(self.target.kafka, partition):
                yield record

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[TopicTransaction]:
        """Return a Kafka transaction: commit on leaving the block, abort on an exception."""
        producer = self.producer
        if producer is None:
            raise TransportError("send-failed")
        transaction = TopicTransaction(self, producer)
        await bounded(producer.begin_transaction(), transaction.seconds)
        try:
            yield transaction
            await transaction.commit()
        except BaseException:
            await transaction.abort()
            raise

    async def close(self) -> None:
        """Stop the producer."""
        producer, self.producer = self.producer, None
        if producer is not None:
            await quietly(producer.stop())


_SECONDS = 120.0


@dataclass(slots=True)
class TopicTransaction:
    """A Kafka transaction with its pending sends."""

    lane: TopicLane
    producer: AIOKafkaProducer
    sends: list[asyncio.Future[Any]] = field(default_factory=list)

    @property
    def seconds(self) -> float:
        """Seconds that one step may take at most."""
        return self.lane.target.kafka.transaction_timeout_ms / 1000

    async def send(self, channel: Channel, record: Record) -> None:
        """Send a record, as the live run's transactions do.

        Raises:
            RefusedError: the record is too large, or has neither key nor value.
        """
        target = self.lane.target
        if channel is Channel.ESCROW or (channel is Channel.STATE and not target.resumes):
            return
        topic = target.topic(channel, record.position.topic)
        if topic is not None:
            keeps = target.kafka.timestamps == "keep"
            sending = sent(self.producer, topic, channel, record, keeps_times=keeps)
            self.sends.append(await bounded(sending, self.seconds))

    async def settle(self, progress: Progress) -> None:
        """Send the progress in the same transaction."""
        target = self.lane.target
        key = f"{target.replay.name}/{LANE}/{self.lane.lane.name}".encode()
        sending = self.producer.send(target.replay.target.progress, progress.pack(), key, 0)
        self.sends.append(await bounded(sending, self.seconds))

    async def commit(self) -> None:
        """Wait for all sends and commit.

        Raises:
            TransportError: a send or the commit failed.
        """
        for send in self.sends:
            await bounded(send, self.seconds)
        await bounded(self.producer.commit_transaction(), self.seconds)

    async def abort(self) -> None:
        """Abort; if that fails, the next producer with the same id aborts."""
        for send in self.sends:
            send.add_done_callback(lambda done: done.cancelled() or done.exception())
        await quietly(self.producer.abort_transaction())
