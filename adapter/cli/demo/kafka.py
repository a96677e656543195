"""The demo's own use of Kafka: creates topics, produces the input, and counts the output."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from adapter.transports.kafka.transport import KafkaTransport

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.config.settings import Settings


async def produce(address: str, prefix: str, messages: Sequence[tuple[bytes, bytes]]) -> str:
    """Create the topics of a new run and write (key, value) messages; return the input topic.

    The input has one partition, so that an offset is a message's index in the feed.
    """
    name = f"{prefix}-{time.time_ns() // 1_000_000}"
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    try:
        outputs = (f"{name}.deid", f"{name}.quarantine", f"{name}.audit")
        await admin.create_topics([NewTopic(topic, 1, 1) for topic in (name, *outputs)])
    finally:
        await admin.close()
    async with AIOKafkaProducer(bootstrap_servers=address, max_request_size=1 << 24) as producer:
        await asyncio.gather(
            *[await producer.send(name, value, key=key) for key, value in messages]
        )
    return name


def transport(settings: Settings) -> KafkaTransport:
    """Return the production transport, which ends at the end of its topics."""
    return KafkaTransport(settings.kafka, settings.workers, to_end=True)


async def count(address: str, topic: str) -> int:
    """Return the number of records that a read_committed consumer reads."""
    partition = TopicPartition(topic, 0)
    consumer = AIOKafkaConsumer(
        bootstrap_servers=address, isolation_level="read_committed", enable_auto_commit=False
    )
    seen = 0
    async with consumer:
        consumer.assign([partition])
        await consumer.seek_to_beginning(partition)
        end = (await consumer.end_offsets([partition]))[partition]
        while await consumer.position(partition) < end:
            fetched = await consumer.getmany(partition, timeout_ms=200)
            seen += sum(len(records) for records in fetched.values())
    return seen
