"""Checks the adapter's rights at the broker without using them.

A broker checks the authorisation of a request before its content, so an authorised but invalid
request shows the right and changes nothing: a heartbeat of a nonexistent member, partitions for the
transaction of a nonexistent producer, and without transactions a write of no records. The right to
read is checked by reading one record.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.client import AIOKafkaClient
from aiokafka.errors import KafkaError, TopicAuthorizationFailedError
from aiokafka.protocol.group import HeartbeatRequest
from aiokafka.protocol.produce import ProduceRequest
from aiokafka.protocol.transaction import AddPartitionsToTxnRequest

from adapter.transports.kafka.client import connection, consumer_options
from adapter.transports.kafka.failures import quietly

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from adapter.config.kafka import Kafka

TOPIC_REFUSED, GROUP_REFUSED, ID_REFUSED = 29, 30, 53
"""Kafka's TOPIC, GROUP and TRANSACTIONAL_ID_AUTHORIZATION_FAILED."""
NOBODY = 2**62
"""A producer id that no broker assigns."""
READ_MS = WRITE_MS = 1_500


@dataclass(frozen=True, slots=True)
class Use:
    """The topics that exist and are read and written, the group, and the transactional ids.

    An empty group is not used; without transactional ids there are no transactions.
    """

    read: tuple[str, ...]
    written: tuple[str, ...]
    group: str
    ids: tuple[str, ...]


async def refused(kafka: Kafka, use: Use) -> AsyncIterator[tuple[str, str]]:
    """Yield (place, problem) for each right that the adapter lacks.

    Raises:
        KafkaError: the broker does not answer.
    """
    client = AIOKafkaClient(**connection(kafka))
    await client.bootstrap()
    try:
        if use.group:
            code = await _code(client, HeartbeatRequest(use.group, -1, ""))
            if code == GROUP_REFUSED:
                yield f"group {use.group}", "lacks the right READ"
        writing = _transactions(client, use) if use.ids else _writes(client, use.written)
        async for place, problem in writing:
            yield place, problem
    finally:
        await quietly(client.close())
    for topic in use.read:
        if not await _readable(kafka, topic):
            yield topic, "lacks the right READ"


async def _transactions(client: AIOKafkaClient, use: Use) -> AsyncIterator[tuple[str, str]]:
    """Ask for each transactional id, and for the topics by the first that is allowed."""
    forbidden: list[str] = []
    topics: set[str] | None = None
    for own in use.ids:
        codes = await _added(client, own, use.written)
        if ID_REFUSED in codes.values():
            forbidden.append(own)
        elif topics is None:
            topics = {name for name, code in codes.items() if code == TOPIC_REFUSED}
    if forbidden:
        share = f" ({len(forbidden)} of {len(use.ids)} ids)" if len(use.ids) > 1 else ""
        yield f"transactional id {forbidden[0]}", f"lacks the right WRITE{share}"
    for topic in sorted(topics or ()):
        yield topic, "lacks the right WRITE"


async def _added(client: AIOKafkaClient, own: str, written: tuple[str, ...]) -> dict[str, int]:
    """Return the broker's code for each topic that a transaction would write."""
    partitions = [(topic, [0]) for topic in written]
    request = AddPartitionsToTxnRequest(own, NOBODY, 0, partitions)
    answer = await client.send(client.get_random_node(), request)
    return {topic: code for topic, found in answer.errors for _, code in found}


async def _writes(
    client: AIOKafkaClient, written: tuple[str, ...]
) -> AsyncIterator[tuple[str, str]]:
    if not written:
        return
    request = ProduceRequest(None, -1, WRITE_MS, [(topic, [(0, b"")]) for topic in written])
    answer = await client.send(client.get_random_node(), request)
    for topic, partitions in answer.topics:
        if any(code == TOPIC_REFUSED for _partition, code, *_ in partitions):
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
