"""Writes audit records of accesses to originals, in one transaction each, outside of any lane.

Like a lane's, their chain is stored with a committed offset, here that of a group that has no
members and reads nothing. If two processes write under one name at the same time, the first is
fenced: a command fails then, and a log that stays open replaces its producer and tries again.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from aiokafka import AIOKafkaProducer, TopicPartition

from adapter.transports.kafka.chaining import Progress, Settled
from adapter.transports.kafka.client import producer_options
from adapter.transports.kafka.failures import abort, bounded, quietly
from adapter.transports.kafka.offsets import stable_offset
from adapter.transports.protocol import Channel, TransportError
from adapter.types import Position, Record

if TYPE_CHECKING:
    from adapter.config.kafka import Kafka
    from adapter.sealing.chain import Signer

SECONDS = 60.0
PARTITION = 0


async def record_access(kafka: Kafka, signer: Signer | None, entry: bytes) -> None:
    """Write an audit record and wait until it is committed.

    Raises:
        TransportError: the record is not committed, or it is unknown whether it is.
    """
    topic = AccessTopic(kafka, signer, f"{kafka.app}-access")
    try:
        await topic.write(entry)
    finally:
        await topic.close()


class AccessTopic:
    """Writes to the audit topic; ``name`` is the transactional id, group and chain.

    The producer is kept between records. Without transactions (at-least-once), each producer begins
    a chain of its own.
    """

    def __init__(self, kafka: Kafka, signer: Signer | None, name: str) -> None:
        self._kafka = kafka
        self._signer = signer
        self._name = name
        self._at = TopicPartition(_topic(kafka), PARTITION)
        self._exactly_once = kafka.guarantee == "exactly-once"
        self._producer: AIOKafkaProducer | None = None
        self._settled = Settled()

    async def write(self, entry: bytes) -> None:
        """Write a record and wait until it is committed.

        A kept producer that fails is replaced once, since it may have been fenced or have expired.

        Raises:
            TransportError: the record is not committed, or it is unknown whether it is.
        """
        if self._producer is not None:
            with suppress(TransportError):
                await self._write(self._producer, entry)
                return
        await self._write(await self._opened(), entry)

    async def close(self) -> None:
        """Stop the producer, if there is one."""
        producer, self._producer = self._producer, None
        if producer is not None:
            await quietly(producer.stop())

    async def _opened(self) -> AIOKafkaProducer:
        """Start a producer, which fences the last one of its name, and resume the chain."""
        name = self._name if self._exactly_once else None
        self._producer = AIOKafkaProducer(**producer_options(self._kafka, name))
        try:
            await bounded(self._producer.start(), SECONDS, resource=f"transactional id {name}")
            await bounded(self._resumed(self._producer), SECONDS, self._at.topic)
        except BaseException:
            await self.close()
            raise
        return self._producer

    async def _resumed(self, producer: AIOKafkaProducer) -> None:
        known = None
        if self._exactly_once:
            known = await stable_offset(
                producer.client, self._name, self._at.topic, self._at.partition
            )
        self._settled = Settled()
        self._settled.resume(self._signer, self._name, [known[1]] if known else [])

    async def _write(self, producer: AIOKafkaProducer, entry: bytes) -> None:
        sent = self._in_transaction if self._exactly_once else self._without_transaction
        try:
            await bounded(sent(producer, entry), SECONDS, self._at.topic, f"group {self._name}")
        except BaseException:
            await self.close()
            raise

    async def _in_transaction(self, producer: AIOKafkaProducer, entry: bytes) -> None:
        progress = Progress(self._settled, self._settled.chain, {self._at: 0})
        await producer.begin_transaction()
        try:
            await self._send(producer, progress, entry)
            await producer.send_offsets_to_transaction(progress.marked(), self._name)
            await producer.commit_transaction()
        except BaseException:
            await abort(producer)
            raise
        progress.committed()

    async def _without_transaction(self, producer: AIOKafkaProducer, entry: bytes) -> None:
        progress = Progress(self._settled, self._settled.chain)
        await self._send(producer, progress, entry)
        progress.committed()

    async def _send(self, producer: AIOKafkaProducer, progress: Progress, entry: bytes) -> None:
        record = progress.linked(Channel.AUDIT, Record(entry, Position("", PARTITION, 0)))
        await producer.send_and_wait(self._at.topic, record.value, partition=PARTITION)


def _topic(kafka: Kafka) -> str:
    """Return the topic of access records: the audit topic, or that of the first input topic."""
    first = kafka.topics[0] if kafka.topics else kafka.app
    return (kafka.audit or "").replace("{topic}", first)
