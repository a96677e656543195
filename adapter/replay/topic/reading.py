"""Creates topics, and reads partitions to their current end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import TopicAlreadyExistsError, for_code

from adapter.replay.errors import ReplayError
from adapter.transports.kafka.client import connection, consumer_options
from adapter.transports.kafka.lane import record_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from adapter.config.kafka import Kafka
    from adapter.types import Record

POLL_MS = 200
COPIES = 3


async def make(kafka: Kafka, topic: str, partitions: int, *, compacted: bool) -> None:
    """Create a topic if it does not exist.

    Raises:
        ReplayError: the topic cannot be created.
        KafkaError: the broker does not answer.
    """
    admin = AIOKafkaAdminClient(**connection(kafka))
    await admin.start()
    try:
        if topic in await admin.list_topics():
            return
        brokers = len((await admin.describe_cluster())["brokers"])
        configs = {"cleanup.policy": "compact"} if compacted else {}
        new = NewTopic(topic, partitions, min(COPIES, brokers), topic_configs=configs)
        answer = await admin.create_topics([new])
    finally:
        await admin.close()
    for _, code, *_ in answer.topic_errors:
        if code not in (0, TopicAlreadyExistsError.errno):
            raise ReplayError(topic, f"cannot be created ({for_code(code).__name__})")


async def committed(kafka: Kafka, partition: TopicPartition) -> AsyncIterator[Record]:
    """Yield the committed records of a partition up to its current end.

    The end includes open transactions, which are waited for: another lane's open transaction must
    not hide records that this lane has committed.
    """
    options = consumer_options(kafka) | {"group_id": None, "group_instance_id": None}
    async with AIOKafkaConsumer(**options | {"isolation_level": "read_uncommitted"}) as asked:
        end = (await asked.end_offsets([partition]))[partition]
    async with AIOKafkaConsumer(**options) as reader:
        reader.assign([partition])
        await reader.seek_to_beginning(partition)
        while await reader.position(partition) < end:
            fetched = await reader.getmany(partition, timeout_ms=POLL_MS)
            for record in fetched.get(partition, ()):
                yield record_of(record)
