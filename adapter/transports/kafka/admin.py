"""Reads from a Kafka cluster outside of lanes: topics, held, escrowed and audit records."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import (
    GroupAuthorizationFailedError,
    GroupCoordinatorNotAvailableError,
    KafkaError,
    TopicAuthorizationFailedError,
)
from aiokafka.protocol.metadata import MetadataRequest

from adapter.errors import RuleError
from adapter.transports.kafka.client import connection, consumer_options, input_pattern
from adapter.transports.kafka.failures import failure
from adapter.transports.merging import refuse_uneven

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection, Mapping, Sequence

    from aiokafka import ConsumerRecord

    from adapter.config.kafka import Kafka


def retry_settings(kafka: Kafka, topics: Sequence[str]) -> Kafka:
    """Return the settings with the quarantine topics as input and a consumer group of their own.

    They are not validated again, because their inputs are outputs too.
    """
    return kafka.model_copy(
        update={
            "app": f"{kafka.app}-retry",
            "group": f"{kafka.consumer_group}-retry",
            "topics": tuple(topics),
            "pattern": None,
            "instance": None,
            "start": "earliest",
        }
    )


@asynccontextmanager
async def open_admin(kafka: Kafka) -> AsyncIterator[AIOKafkaAdminClient]:
    """Open an admin client of the cluster.

    Raises:
        KafkaError: no broker answers.
    """
    admin = AIOKafkaAdminClient(**connection(kafka))
    await admin.start()
    try:
        yield admin
    finally:
        await admin.close()


async def refuse_uneven_topics(kafka: Kafka) -> None:
    """Refuse input topics that cannot share a patient memory.

    Raises:
        RuleError: their numbers of partitions differ, or the broker does not answer.
    """
    try:
        async with open_admin(kafka) as admin:
            inputs = input_topics(kafka, set(await admin.list_topics()))
            described = await admin.describe_topics(list(inputs)) if inputs else []
    except KafkaError as error:
        raise RuleError("kafka.bootstrap_servers", type(error).__name__) from None
    refuse_uneven({topic["topic"]: len(topic["partitions"]) for topic in described})


def input_topics(kafka: Kafka, there: Collection[str]) -> Sequence[str]:
    """Return the named input topics; with a pattern, those existing topics that match."""
    wanted = re.compile(input_pattern(kafka)) if kafka.pattern else None
    return [name for name in there if wanted and wanted.match(name)] or kafka.topics


async def quarantine_topics(kafka: Kafka) -> tuple[str, ...]:
    """Return the existing quarantine topics."""
    return await _existing(kafka, kafka.quarantine)


async def _existing(kafka: Kafka, template: str) -> tuple[str, ...]:
    """Return the existing topics that a name template yields for the input topics.

    Raises:
        TransportError: one of them is hidden, because there is no right to it.
    """
    async with open_admin(kafka) as admin:
        there = set(await admin.list_topics())
        wanted = {template.replace("{topic}", name) for name in input_topics(kafka, there)}
        await _refuse_hidden(admin, wanted - there)
    return tuple(sorted(wanted & there))


async def _refuse_hidden(admin: AIOKafkaAdminClient, names: Collection[str]) -> None:
    """Tell topics that may not be described, which a list of all topics omits, from missing ones.

    Raises:
        TransportError: the broker says so.
    """
    if not names:
        return
    request = MetadataRequest(sorted(names), allow_auto_topic_creation=False)
    answer = await admin._send_request(request)  # noqa: SLF001 - `describe_topics` creates topics
    for topic in answer.to_object()["topics"]:
        if topic["error_code"] == TopicAuthorizationFailedError.errno:
            raise failure(TopicAuthorizationFailedError(), topic["topic"])


async def in_quarantine(kafka: Kafka) -> AsyncIterator[tuple[str, bytes]]:
    """Yield (name, envelope) after the retry group's offsets, without joining the group."""
    topics = await quarantine_topics(kafka)
    kafka = retry_settings(kafka, topics)
    async with open_admin(kafka) as admin:
        settled = await _settled(admin, kafka.consumer_group)
    async for record in _read(kafka, settled):
        yield f"{record.topic}-{record.partition}-{record.offset}", record.value or b""


async def escrowed(kafka: Kafka) -> AsyncIterator[tuple[str, int, int, bytes]]:
    """Yield topic, partition, offset and value of every escrow record of the input topics.

    No group is joined.
    """
    topics = await _existing(kafka, kafka.escrow)
    async for record in _read(retry_settings(kafka, topics), {}):
        yield record.topic, record.partition, record.offset, record.value or b""


async def input_values(kafka: Kafka) -> AsyncIterator[tuple[bytes, str]]:
    """Yield every value of the input topics with its topic, without joining a group.

    Raises:
        TransportError: there is no right to a topic.
    """
    topics = await _existing(kafka, "{topic}")
    async for record in _read(retry_settings(kafka, topics), {}):
        if record.value is not None:
            yield record.value, record.topic


async def audited(kafka: Kafka) -> AsyncIterator[tuple[str, int, int, bytes]]:
    """Yield topic, partition, offset and value of every audit record, partition by partition."""
    topics = await _existing(kafka, kafka.audit or "")
    async for record in _read(retry_settings(kafka, topics), {}):
        yield record.topic, record.partition, record.offset, record.value or b""


async def _read(
    kafka: Kafka, settled: Mapping[TopicPartition, int]
) -> AsyncIterator[ConsumerRecord[bytes, bytes]]:
    """Yield the committed records of the topics from the ``settled`` offsets on."""
    partitions = await partitions_of(kafka, kafka.topics)
    options = consumer_options(kafka) | {"group_id": None, "group_instance_id": None}
    async with AIOKafkaConsumer(**options) as reader:
        for partition in sorted(partitions):
            reader.assign([partition])
            try:
                async for record in _rest(reader, partition, settled.get(partition)):
                    yield record
            except TopicAuthorizationFailedError as error:
                raise failure(error, partition.topic) from None


async def partitions_of(kafka: Kafka, topics: Sequence[str]) -> list[TopicPartition]:
    """Return the partitions of those topics that exist."""
    async with open_admin(kafka) as admin:
        there = set(await admin.list_topics())
        wanted = [topic for topic in topics if topic in there]
        described = await admin.describe_topics(wanted) if wanted else []
    return [
        TopicPartition(topic["topic"], part["partition"])
        for topic in described
        for part in topic["partitions"]
    ]


async def _settled(admin: AIOKafkaAdminClient, group: str) -> dict[TopicPartition, int]:
    """Return the group's offsets; empty before its first retry."""
    try:
        offsets = await admin.list_consumer_group_offsets(group)
    except GroupCoordinatorNotAvailableError:
        return {}
    except GroupAuthorizationFailedError as error:
        raise failure(error, resource=f"group {group}") from None
    return {partition: found.offset for partition, found in offsets.items()}


async def _rest(
    reader: AIOKafkaConsumer, partition: TopicPartition, start: int | None
) -> AsyncIterator[ConsumerRecord[bytes, bytes]]:
    """Yield the committed records of a partition from an offset to its end."""
    if start is None:
        await reader.seek_to_beginning(partition)
    else:
        reader.seek(partition, start)
    end = (await reader.end_offsets([partition]))[partition]
    while await reader.position(partition) < end:
        fetched = await reader.getmany(partition, timeout_ms=200)
        for record in fetched.get(partition, ()):
            yield record
