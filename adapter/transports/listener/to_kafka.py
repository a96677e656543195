"""Topics as the outlet of a listener: each batch is a transaction of one producer.

It commits the offset of its last message with the outcomes, for a group of its own. If the outcome
of a commit is unknown, the next producer of the same transactional id completes or aborts it, and
the offset then tells which (KIP-98, KIP-447).
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from aiokafka import AIOKafkaProducer, TopicPartition

from adapter.transports.kafka.chaining import Progress, Settled
from adapter.transports.kafka.client import producer_options
from adapter.transports.kafka.failures import bounded, quietly
from adapter.transports.kafka.lane import record_of
from adapter.transports.kafka.offsets import stable_offset
from adapter.transports.kafka.state import kept, made_like
from adapter.transports.kafka.transaction import sent
from adapter.transports.protocol import Channel, TransportError

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator

    from adapter.config.kafka import Kafka
    from adapter.sealing.chain import Signer
    from adapter.types import Position, Record

SECONDS = 60.0


class KafkaOutlet:
    """Writes topics named by the listener's name, with one producer."""

    def __init__(self, kafka: Kafka, name: str, signer: Signer | None = None) -> None:
        self.kafka = kafka
        self.settled = Settled()
        self._signer = signer
        self.own = f"{kafka.app}-{name}"
        """Transactional id, and the group of the offset."""
        self.seconds = kafka.transaction_timeout_ms / 1000
        self.transactional = kafka.guarantee == "exactly-once"
        self._topics = {
            Channel.RELEASED: kafka.released_to(name),
            Channel.HELD: kafka.quarantine,
            Channel.AUDIT: kafka.audit,
            Channel.STATE: kafka.state,
            Channel.ESCROW: kafka.escrow,
        }
        self._name = name
        self._producer: AIOKafkaProducer | None = None

    def topic(self, channel: Channel) -> str | None:
        """Return the topic of a channel, or None if it has none."""
        template = self._topics[channel]
        return template.replace("{topic}", self._name) if template else None

    @property
    def progress(self) -> TopicPartition:
        """Return the partition for which the offset of the last message is committed."""
        return TopicPartition(self.topic(Channel.RELEASED), 0)

    async def open(self) -> int | None:
        """Start a producer, which fences the last one, and return the last committed offset.

        Raises:
            TransportError: the broker does not answer.
        """
        await self.close()
        own = self.own if self.transactional else None
        producer = AIOKafkaProducer(**producer_options(self.kafka, own))
        try:
            await bounded(producer.start(), self.seconds + 10)
            self._producer = producer
            known: tuple[int, str] | None = None
            if self.transactional:
                found = stable_offset(producer.client, self.own, *self.progress)
                known = await bounded(found, SECONDS)
            self.settled = Settled()
            self.settled.resume(self._signer, self.own, [known[1]] if known else [])
        except BaseException:
            self._producer = None
            await quietly(producer.stop())
            raise
        return None if known is None else known[0] - 1

    async def state(self) -> AsyncIterator[Record]:
        """Yield the compacted state topic, created like the output if it is missing."""
        topic, like = self.topic(Channel.STATE), self.topic(Channel.RELEASED)
        if topic and like:
            await made_like(self.kafka, topic, like)
            async for record in kept(self.kafka, TopicPartition(topic, 0)):
                yield record_of(record)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[KafkaTransaction]:
        """Open a Kafka transaction, or without transactions a flush."""
        if self._producer is None:
            raise TransportError("send-failed")
        progress = Progress(self.settled, self.settled.chain)
        transaction = KafkaTransaction(self, self._producer, progress)
        if self.transactional:
            await bounded(self._producer.begin_transaction(), self.seconds)
        try:
            yield transaction
            await transaction.commit()
        except BaseException:
            await transaction.abort()
            raise

    async def close(self) -> None:
        """Stop the producer."""
        producer, self._producer = self._producer, None
        if producer is not None:
            await quietly(producer.stop())


@dataclass(slots=True)
class KafkaTransaction:
    """Pending sends, and the offset of the last message."""

    outlet: KafkaOutlet
    producer: AIOKafkaProducer
    progress: Progress
    sends: list[asyncio.Future[Any]] = field(default_factory=list)
    last: int = 0

    async def send(self, channel: Channel, record: Record) -> None:
        """Pass a record to the producer; the commit tells whether it arrived.

        Raises:
            RefusedError: the record is too large.
        """
        topic = self.outlet.topic(channel)
        if topic is not None:
            keeps = self.outlet.kafka.timestamps == "keep"
            linked = self.progress.linked(channel, record)
            sending = sent(self.producer, topic, channel, linked, keeps_times=keeps)
            self.sends.append(await bounded(sending, self.outlet.seconds))

    async def advance(self, position: Position) -> None:
        """Set the offset to commit."""
        self.last = max(self.last, position.offset)

    async def commit(self) -> None:
        """Wait for all records, and commit them with the offset.

        Raises:
            TransportError: a send or the commit failed, or its outcome is unknown.
        """
        outlet = self.outlet
        if not outlet.transactional:
            await bounded(self.producer.flush(), outlet.seconds)
        for send in self.sends:
            await bounded(send, outlet.seconds)
        if outlet.transactional:
            self.progress.offsets[outlet.progress] = self.last + 1
            offsets = self.progress.marked()
            settling = self.producer.send_offsets_to_transaction(offsets, outlet.own)
            await bounded(settling, outlet.seconds)
            await bounded(self.producer.commit_transaction(), outlet.seconds)
        self.progress.committed()

    async def abort(self) -> None:
        """Abort; if that fails, the next producer of the id aborts the transaction."""
        for send in self.sends:
            send.add_done_callback(lambda done: done.cancelled() or done.exception())
        if self.outlet.transactional:
            await quietly(self.producer.abort_transaction())
