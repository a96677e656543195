"""Checks the adapter's rights at the broker without using them.

A broker checks the authorisation of a request before its content, so an authorised but invalid
request shows the right and changes nothing: a heartbeat of a nonexistent member, and partitions for
the transaction of a nonexistent producer. The right to read is checked by reading one record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.client import AIOKafkaClient
from aiokafka.errors import KafkaError, TopicAuthorizationFailedError
from aiokafka.protocol.group import HeartbeatRequest
from aiokafka.protocol.transaction import AddPartitionsToTxnRequest

from adapter.transports.kafka.client import connection, consumer_options
from adapter.transports.kafka.failures import quietly

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from adapter.config.kafka import Kafka

TOPIC_REFUSED, GROUP_REFUSED, ID_REFUSED = 29, 30, 53
"""Kafka's TOPIC, GROUP and TRANSACTIONAL_ID_AUTHORIZATION_FAILED."""
NOBODY = 2**62
"""A producer id that no broker assigns."""
READ_MS = 1_500


async def refused(
    kafka: Kafka, read: Sequence[str], written: Sequence[str], lane: str
) -> AsyncIterator[tuple[str, str]]:
    """Yield (place, problem) for each right that the adapter lacks.

    ``read`` and ``written`` are topics that exist; ``lane`` is the name of a lane.

    Raises:
        KafkaError: the broker does not answer.
    """
    client = AIOKafkaClient(**connection(kafka))
    await client.bootstrap()
    try:
        group = kafka.consumer_group
        if await _code(client, HeartbeatRequest(group, -1, "")) == GROUP_REFUSED:
            yield f"group {group}", "lacks the right READ"
        if kafka.guarantee == "exactly-once":
            async for place, problem in _transaction(client, f"{kafka.app}-{lane}", written):
                yield place, problem
    finally:
        await quietly(client.close())
    for topic in read:
        if not await _readable(kafka, topic):
            yield topic, "lacks the right READ"


async def _transaction(
    client: AIOKafkaClient, own: str, written: Sequence[str]
) -> AsyncIterator[tuple[str, str]]:
    partitions = [(topic, [0]) for topic in written]
    request = AddPartitionsToTxnRequest(own, NOBODY, 0, partitions)
    answer = await client.send(client.get_random_node(), request)
    codes = {topic: code for topic, found in answer.errors for _, code in found}
    if ID_REFUSED in codes.values():
        yield f"transactional id {own}", "lacks the right WRITE"
    for topic in sorted(name for name, code in codes.items() if code == TOPIC_REFUSED):
        yield topic, "lacks the right WRITE"


async def _code(client: AIOKafkaClient, request: Any) -> int:
    answer = await client.send(client.get_random_node(), request)
    return int(answer.error_code)


async def _readable(kafka: Kafka, topic: str) -> bool:
    """Whether reading a topic is authorised; any other failure counts as authorised."""
    options = consumer_options(kafka) | {"group_id": None, "group_instance_id": None}
    async with AIOKafkaConsumer(**options) as reader:
        reader.assign([TopicPartition(topic, 0)])
        await reader.seek_to_beginning()
        try:
            await reader.getmany(timeout_ms=READ_MS, max_records=1)
        except TopicAuthorizationFailedError:
            return False
        except KafkaError:
            return True
        return True
