"""Writes audit records of accesses to originals, in one transaction each, outside of any lane.

Like a lane's, their chain is stored with a committed offset, here that of a group that has no
members and reads nothing. If two processes write at the same time, the first is fenced and fails.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiokafka import AIOKafkaProducer, TopicPartition

from adapter.transports.kafka.chaining import Progress, Settled
from adapter.transports.kafka.client import producer_options
from adapter.transports.kafka.failures import bounded, quietly
from adapter.transports.kafka.offsets import stable_offset
from adapter.transports.protocol import Channel
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
    name = f"{kafka.app}-access"
    exactly_once = kafka.guarantee == "exactly-once"
    producer = AIOKafkaProducer(**producer_options(kafka, name if exactly_once else None))
    try:
        await bounded(producer.start(), SECONDS)
        written = _in_transaction if exactly_once else _without_transaction
        await bounded(written(producer, kafka, signer, entry, name), SECONDS)
    finally:
        await quietly(producer.stop())


async def _in_transaction(
    producer: AIOKafkaProducer, kafka: Kafka, signer: Signer | None, entry: bytes, name: str
) -> None:
    at = TopicPartition(_topic(kafka), PARTITION)
    known = await stable_offset(producer.client, name, at.topic, at.partition)
    settled = Settled()
    settled.resume(signer, name, [known[1]] if known else [])
    progress = Progress(settled, settled.chain, {at: 0})
    async with producer.transaction():
        await producer.send_and_wait(at.topic, _linked(progress, entry), partition=at.partition)
        await producer.send_offsets_to_transaction(progress.marked(), name)


async def _without_transaction(
    producer: AIOKafkaProducer, kafka: Kafka, signer: Signer | None, entry: bytes, name: str
) -> None:
    """Write without a transaction; the record begins a chain of its own."""
    settled = Settled()
    settled.resume(signer, name, [])
    progress = Progress(settled, settled.chain)
    await producer.send_and_wait(_topic(kafka), _linked(progress, entry), partition=PARTITION)


def _linked(progress: Progress, entry: bytes) -> bytes | None:
    return progress.linked(Channel.AUDIT, Record(entry, Position("", PARTITION, 0))).value


def _topic(kafka: Kafka) -> str:
    """Return the topic of access records: the audit topic, or that of the first input topic."""
    first = kafka.topics[0] if kafka.topics else kafka.app
    return (kafka.audit or "").replace("{topic}", first)
