"""What the Kafka tests do to a cluster and run on it: topics, messages, adapters to be killed."""

from __future__ import annotations

import asyncio
import base64
import os
from pathlib import Path

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import GroupCoordinatorNotAvailableError

from adapter.sealing.chain import Signer
from adapter.sealing.verification import Place, Verifier
from tests import processes

KEY = bytes(range(32))
PROCESS = Path(__file__).parent / "adapter_process.py"


def settings_file(folder, address, app, *, topics=(), processes=1, batch_records=20, state=False):
    """Settings for small transactions and a short session; with ``state`` patients are remembered.

    Tables may be added behind it.
    """
    key = base64.b64encode(KEY).decode()
    purposes = {"surrogates": "s1", "quarantine": "q1", "audit": "a1"} | (
        {"state": "k1"} if state else {}
    )
    keys = "\n".join(f'{name} = {{ id = "{i}", value = "{key}" }}' for name, i in purposes.items())
    names = ", ".join(f'"{topic}"' for topic in topics or (app,))
    file = folder / "adapter.toml"
    file.write_text(
        f"""
transport = "kafka"
[kafka]
bootstrap_servers = "{address}"
app = "{app}"
topics = [{names}]
audit = "{app}.audit"
session_timeout_ms = 6000
[workers]
processes = {processes}
batch_records = {batch_records}
[keys]
{keys}
"""
    )
    return file


def start(file, log, **variables):
    """An adapter as a process of its own, its logs appended, with these variables too."""
    env = os.environ | variables
    return processes.Started([PROCESS, file], stdout=log, stderr=log, env=env)


async def make_topics(address, *names, partitions=3, configs=None):
    """Topics with one replica."""
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    try:
        topics = [NewTopic(name, partitions, 1, topic_configs=configs or {}) for name in names]
        await admin.create_topics(topics)
    finally:
        await admin.close()


def writer(address):
    """A producer that writes each message once, in order, over a broker's restart too."""
    return AIOKafkaProducer(
        bootstrap_servers=address,
        enable_idempotence=True,
        linger_ms=5,
        max_batch_size=1 << 18,
        max_request_size=1 << 24,
    )


async def sent(producer, topic, messages):
    """``messages`` are (key, value, headers), in order; the default partitioner places them."""
    sends = [
        await producer.send(topic, value, key=key, headers=list(headers))
        for key, value, headers in messages
    ]
    await asyncio.gather(*sends)


async def write(address, topic, messages):
    """Write messages as `sent` does, with a producer of their own."""
    async with writer(address) as producer:
        await sent(producer, topic, messages)


async def read_all(address, topic):
    """Every record of a topic that is committed now, partition by partition."""
    partitions = await partitions_of(address, topic)
    consumer = AIOKafkaConsumer(
        bootstrap_servers=address,
        isolation_level="read_committed",
        enable_auto_commit=False,
        max_partition_fetch_bytes=1 << 24,
    )
    async with consumer:
        consumer.assign(partitions)
        await consumer.seek_to_beginning()
        ends = await consumer.end_offsets(partitions)
        found = {partition: [] for partition in partitions}
        for partition in partitions:
            while await consumer.position(partition) < ends[partition]:
                batch = await consumer.getmany(partition, timeout_ms=200)
                found[partition].extend(batch.get(partition, ()))
        return [record for records in found.values() for record in records]


async def partitions_of(address, topic):
    """The topic's partitions."""
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    try:
        (found,) = await admin.describe_topics([topic])
    finally:
        await admin.close()
    return [TopicPartition(topic, p["partition"]) for p in found["partitions"]]


def chains(audit):
    """Problems of audit records signed with the settings' key, and the length of each chain."""
    verifier = Verifier({"a1": Signer.of("a1", KEY).public})
    for record in audit:
        verifier.add(Place(f"{record.topic}/{record.partition}", record.offset), record.value)
    found = verifier.finish()
    return [str(problem) for problem in verifier.problems], [c.head.number for c in found]


async def committed(address, group, topic):
    """The group's committed offsets, added up over the topic's partitions."""
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    try:
        offsets = await admin.list_consumer_group_offsets(group)
    except GroupCoordinatorNotAvailableError:  # a fresh broker is still making its topic
        offsets = {}
    finally:
        await admin.close()
    return sum(found.offset for at, found in offsets.items() if at.topic == topic)


def failures(runner):
    """How many batches of a runner had to be done again, whatever the code."""
    samples = [each for metric in runner.metrics.failures.collect() for each in metric.samples]
    return sum(each.value for each in samples if each.name.endswith("_total"))
