"""The quarantine for those who look after it: list, show, retry, over a folder or topics."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from aiokafka import AIOKafkaConsumer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.errors import GroupCoordinatorNotAvailableError, KafkaError

from adapter.config import Health
from adapter.errors import RuleError
from adapter.quarantine import Folder, read_clear
from adapter.retry import RetryTransport
from adapter.sealing import SealError
from adapter.service import sealer, serve
from adapter.transports.folder import FolderTransport
from adapter.transports.kafka import KafkaTransport
from adapter.transports.kafka_client import connection, consumer_options, input_pattern

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping, Sequence

    from aiokafka import ConsumerRecord

    from adapter.config import Settings
    from adapter.config_kafka import Kafka
    from adapter.quarantine import Held
    from adapter.transports.protocol import Transport
    from adapter.types import Record
    from adapter.workers import Factory, Processed


async def envelopes(settings: Settings) -> AsyncIterator[tuple[str, bytes]]:
    """Name and envelope of everything held now; a name stays until its record is settled.

    Raises:
        RuleError: the settings name no quarantine.
    """
    if settings.transport == "files":
        folder = _folder(settings)
        for name in folder.names():
            yield name, folder.read(name)
    else:
        async for found in _in_topics(settings.kafka):
            yield found


async def listed(settings: Settings) -> AsyncIterator[tuple[str, Held]]:
    """Name and clear part of everything held now; needs no key.

    Raises:
        RuleError: the settings name no quarantine.
    """
    async for name, envelope in envelopes(settings):
        yield name, read_clear(envelope)


async def show(settings: Settings, name: str) -> tuple[Held, Record]:
    """A held record, opened: it is the original, for people allowed to see it.

    Raises:
        SealError: there is none of that name, or it cannot be opened.
        RuleError: there is no key.
    """
    seal = sealer(settings)
    if seal is None:
        raise RuleError("keys.quarantine", "is needed to open held records")
    async for found, envelope in envelopes(settings):
        if found == name:
            return seal.open(envelope)
    raise SealError("no such held record")


async def retry(
    settings: Settings,
    *,
    factory: Factory | None = None,
    watch: Callable[[Record, Processed], None] | None = None,
) -> int:
    """Process everything held now once more; returns as :func:`adapter.service.serve` does.

    Raises:
        RuleError: there is no key or no quarantine, or the rules cannot be honoured.
    """
    seal = sealer(settings)
    if seal is None:
        raise RuleError("keys.quarantine", "is needed to open held records")
    again = RetryTransport(
        await _quarantine(settings),
        seal,
        settings.quarantine.max_attempts,
        settings.kafka.quarantine,
    )
    beside = settings.model_copy(update={"health": Health()})  # the service has its port
    return await serve(beside, over=again, factory=factory, watch=watch, earlier=again.earlier)


async def _quarantine(settings: Settings) -> Transport:
    if settings.transport == "files":
        output = Path(settings.files.output)
        batch, escrow = settings.workers.batch_records, settings.files.escrow
        return FolderTransport(_folder(settings), output, batch, escrow=escrow)
    topics = await quarantine_topics(settings.kafka)
    return KafkaTransport(
        retry_settings(settings.kafka, topics),
        settings.workers,
        to_end=True,
        origin=settings.kafka.quarantine,
    )


def _folder(settings: Settings) -> Folder:
    if settings.files.quarantine is None:
        raise RuleError("files.quarantine", "names no folder")
    return Folder(settings.files.quarantine)


def retry_settings(kafka: Kafka, topics: Sequence[str]) -> Kafka:
    """The same cluster and outputs, with the quarantine's topics as input and a group of its own.

    Not validated again: that these topics are outputs too is the point.
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
async def _admin(kafka: Kafka) -> AsyncIterator[AIOKafkaAdminClient]:
    admin = AIOKafkaAdminClient(**connection(kafka))
    await admin.start()
    try:
        yield admin
    finally:
        await admin.close()


async def missing_topics(settings: Settings) -> tuple[str, ...]:
    """The topics that the settings name and the broker does not have.

    Raises:
        RuleError: the broker does not answer.
    """
    kafka = settings.kafka
    try:
        async with _admin(kafka) as admin:
            there = set(await admin.list_topics())
    except KafkaError as error:
        raise RuleError("kafka.bootstrap_servers", type(error).__name__) from None
    wanted = re.compile(input_pattern(kafka)) if kafka.pattern else None
    inputs = [name for name in there if wanted and wanted.match(name)] or kafka.topics
    escrow = kafka.escrow if settings.escrow.enabled else ""
    outputs = [name for name in (kafka.output, kafka.quarantine, kafka.audit, escrow) if name]
    named = {*inputs, *(n.replace("{topic}", topic) for n in outputs for topic in inputs)}
    return tuple(sorted(named - there))


async def quarantine_topics(kafka: Kafka) -> tuple[str, ...]:
    """The topics held records lie in, of those that exist."""
    return await _existing(kafka, kafka.quarantine)


async def _existing(kafka: Kafka, template: str) -> tuple[str, ...]:
    """The topics of a template's name, of those that exist."""
    async with _admin(kafka) as admin:
        there = set(await admin.list_topics())
    wanted = re.compile(input_pattern(kafka)) if kafka.pattern else None
    inputs = [name for name in there if wanted and wanted.match(name)] or kafka.topics
    return tuple(sorted({template.replace("{topic}", name) for name in inputs} & there))


async def _in_topics(kafka: Kafka) -> AsyncIterator[tuple[str, bytes]]:
    """Envelopes after the retry group's offsets, read without joining the group."""
    topics = await quarantine_topics(kafka)
    kafka = retry_settings(kafka, topics)
    async with _admin(kafka) as admin:
        settled = await _settled(admin, kafka.consumer_group)
    async for record in _read(kafka, settled):
        yield f"{record.topic}-{record.partition}-{record.offset}", record.value or b""


async def escrowed(kafka: Kafka) -> AsyncIterator[bytes]:
    """Every escrow record of the input topics, read without joining a group."""
    topics = await _existing(kafka, kafka.escrow)
    async for record in _read(retry_settings(kafka, topics), {}):
        yield record.value or b""


async def _read(
    kafka: Kafka, settled: Mapping[TopicPartition, int]
) -> AsyncIterator[ConsumerRecord[bytes, bytes]]:
    """Committed records of the topics after what is settled."""
    async with _admin(kafka) as admin:
        described = await admin.describe_topics(list(kafka.topics))
    partitions = [
        TopicPartition(topic["topic"], part["partition"])
        for topic in described
        for part in topic["partitions"]
    ]
    options = consumer_options(kafka) | {"group_id": None, "group_instance_id": None}
    async with AIOKafkaConsumer(**options) as reader:
        for partition in sorted(partitions):
            reader.assign([partition])
            async for record in _rest(reader, partition, settled.get(partition)):
                yield record


async def _settled(admin: AIOKafkaAdminClient, group: str) -> dict[TopicPartition, int]:
    """The group's offsets; none before its first retry."""
    try:
        offsets = await admin.list_consumer_group_offsets(group)
    except GroupCoordinatorNotAvailableError:
        return {}
    return {partition: found.offset for partition, found in offsets.items()}


async def _rest(
    reader: AIOKafkaConsumer, partition: TopicPartition, start: int | None
) -> AsyncIterator[ConsumerRecord[bytes, bytes]]:
    """Committed records of a partition from an offset to its end."""
    if start is None:
        await reader.seek_to_beginning(partition)
    else:
        reader.seek(partition, start)
    end = (await reader.end_offsets([partition]))[partition]
    while await reader.position(partition) < end:
        fetched = await reader.getmany(partition, timeout_ms=200)
        for record in fetched.get(partition, ()):
            yield record
