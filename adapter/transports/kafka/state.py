"""The compacted topic of patient memory: creates it and reads it to its end."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Any

from aiokafka import AIOKafkaConsumer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import KafkaError, TopicAlreadyExistsError, for_code

from adapter.errors import RuleError
from adapter.transports.kafka.client import connection, consumer_options
from adapter.transports.kafka.failures import failure

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from aiokafka import ConsumerRecord, TopicPartition

    from adapter.config.kafka import Kafka

POLL_MS = 200
START_SECONDS = 60.0
_PLACE = "{topic}"


def origin_of(topic: str, pattern: str) -> str:
    """Return the topic that a name following the pattern was made from, else ""."""
    name = "(.+)".join(re.escape(part) for part in pattern.split(_PLACE))
    found = re.fullmatch(name, topic)
    return found[1] if found and found.groups() else ""


async def made_like(kafka: Kafka, topic: str, source: str) -> None:
    """Create a missing compacted topic with the partitions and replicas of its source.

    Raises:
        RuleError: the topic has other partitions than its source, or cannot be created.
        TransportError: the broker does not answer.
    """
    try:
        async with asyncio.timeout(START_SECONDS):
            await _made_like(kafka, topic, source)
    except (KafkaError, TimeoutError) as error:
        raise failure(error, topic) from None


async def _made_like(kafka: Kafka, topic: str, source: str) -> None:
    admin = AIOKafkaAdminClient(**connection(kafka))
    await admin.start()
    try:
        there = topic in await admin.list_topics()
        partitions = await _partitions(admin, source)
        if not there:
            copies = len(partitions[0]["replicas"])
            new = NewTopic(
                topic, len(partitions), copies, topic_configs={"cleanup.policy": "compact"}
            )
            _refuse(await admin.create_topics([new]), topic)
            return
        if len(await _partitions(admin, topic)) != len(partitions):
            raise RuleError("kafka.state", "the topic must have as many partitions as its input")
    finally:
        await admin.close()


async def _partitions(admin: AIOKafkaAdminClient, topic: str) -> Sequence[Any]:
    """Return the partitions of a topic.

    Raises:
        TransportError: there is no right to describe it, or the broker has no answer now.
    """
    (found,) = await admin.describe_topics([topic])
    if found["error_code"]:
        raise failure(for_code(found["error_code"])(), topic)
    return found["partitions"]  # type: ignore[no-any-return]


def _refuse(answer: Any, topic: str) -> None:
    """Raise RuleError for an error in the answer; an existing topic is no error."""
    for _, code, *_ in answer.topic_errors:
        if code not in (0, TopicAlreadyExistsError.errno):
            why = failure(for_code(code)(), topic).described
            raise RuleError("kafka.state", f"the topic is not there or hidden ({why})")


async def kept(
    kafka: Kafka, partition: TopicPartition
) -> AsyncIterator[ConsumerRecord[bytes, bytes]]:
    """Yield the committed records of the partition, from its beginning to its current end."""
    options = consumer_options(kafka) | {"group_id": None, "group_instance_id": None}
    async with AIOKafkaConsumer(**options) as reader:
        reader.assign([partition])
        await reader.seek_to_beginning(partition)
        end = (await reader.end_offsets([partition]))[partition]
        while await reader.position(partition) < end:
            fetched = await reader.getmany(partition, timeout_ms=POLL_MS)
            for record in fetched.get(partition, ()):
                yield record
