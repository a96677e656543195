"""What the Kafka tests do to a cluster: make topics, write messages, read what was committed."""

from __future__ import annotations

import asyncio

from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.errors import GroupCoordinatorNotAvailableError


async def make_topics(address, *names, partitions=3, configs=None):
    """Topics with one replica."""
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    try:
        topics = [NewTopic(name, partitions, 1, topic_configs=configs or {}) for name in names]
        await admin.create_topics(topics)
    finally:
        await admin.close()


async def write(address, topic, messages):
    """``messages`` are (key, value, headers), in order; the default partitioner places them."""
    producer = AIOKafkaProducer(
        bootstrap_servers=address,
        enable_idempotence=True,
        linger_ms=5,
        max_batch_size=1 << 18,
        max_request_size=1 << 24,
    )
    async with producer:
        sends = [
            await producer.send(topic, value, key=key, headers=list(headers))
            for key, value, headers in messages
        ]
        await asyncio.gather(*sends)


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
