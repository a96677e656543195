"""A lane of several partitions: what it waits for, and for how long."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest
from aiokafka import TopicPartition

from adapter.config.kafka import Kafka
from adapter.transports.kafka import lane as module
from adapter.transports.kafka.lane import KafkaLane

A, B = TopicPartition("fhir", 2), TopicPartition("hl7", 2)


class Consumer:
    """Knows how many records the broker has of each partition, and how many were polled."""

    def __init__(self, **known):
        self.ends = {A: known.get("fhir"), B: known.get("hl7")}
        self.polled = {A: 0, B: 0}

    def last_stable_offset(self, partition):
        """Where committed records end, as of the last fetch; None before the first."""
        return self.ends[partition]

    async def position(self, partition):
        """The next record that is polled."""
        return self.polled[partition]

    def highwater(self, partition):
        """Where records end."""
        return self.ends[partition]


def opened(**known):
    """A lane of both partitions, open, over a broker that has so many records of each topic."""
    consumer = Consumer(**known)
    owner = SimpleNamespace(
        consumer=consumer, kafka=Kafka(), batch_records=10, batch_bytes=1000, wake=asyncio.Event()
    )
    lane = KafkaLane(owner, A, B, name="domain-2")
    lane._open, lane._end = True, {A: None, B: None}
    lane.settled.offsets |= {A: 0, B: 0}
    return lane, consumer


def arrive(lane, consumer, partition, *timestamps):
    """The next records of a partition are polled."""
    start = consumer.polled[partition]
    records = [
        SimpleNamespace(
            topic=partition.topic, partition=2, offset=start + number,
            value=b"x", key=None, headers=(), timestamp=stamp,
        )
        for number, stamp in enumerate(timestamps)
    ]  # fmt: skip
    consumer.polled[partition] += len(records)
    lane.take(partition, records)


async def batch(lane):
    """The next batch: topics and offsets."""
    async for records in lane.batches():
        return [f"{each.position.topic}{each.position.offset}" for each in records]
    return None


def test_it_waits_for_the_topic_that_has_more():
    """A backlog of two topics comes in the order of timestamps, whichever is fetched first."""

    async def go():
        lane, consumer = opened(hl7=2, fhir=2)
        arrive(lane, consumer, B, 2, 4)
        waiting = asyncio.create_task(batch(lane))
        await asyncio.sleep(0.02)
        assert not waiting.done()
        arrive(lane, consumer, A, 1, 3)
        return await waiting

    assert ["fhir0", "hl70", "fhir1", "hl71"] == asyncio.run(go())


def test_it_does_not_wait_for_a_topic_that_is_read():
    """Where the other topic has nothing unread, a record goes at once."""

    async def go():
        lane, consumer = opened(hl7=1, fhir=0)
        arrive(lane, consumer, B, 2)
        return await asyncio.wait_for(batch(lane), 0.5)

    assert ["hl70"] == asyncio.run(go())


def test_patience_ends(monkeypatch):
    """A broker that gives no more of one topic holds up the other for a while only."""
    monkeypatch.setattr(module, "PATIENCE", 0.05)

    async def go():
        lane, consumer = opened(hl7=1)
        arrive(lane, consumer, B, 2)
        return await asyncio.wait_for(batch(lane), 5)

    assert ["hl70"] == asyncio.run(go())


def test_it_ends_while_it_waits():
    """A lane that is revoked gives out nothing of what it waited with."""

    async def go():
        lane, consumer = opened(hl7=1)
        arrive(lane, consumer, B, 2)
        waiting = asyncio.create_task(batch(lane))
        await asyncio.sleep(0.02)
        lane.end()
        return await asyncio.wait_for(waiting, 0.5)

    assert asyncio.run(go()) is None


@pytest.mark.parametrize(("polled", "left"), [((), 5), ((1,), 5), ((1, 2), 5)])
def test_its_lag_is_that_of_all_its_partitions(polled, left):
    """Records that wait count as those that nobody has polled, until they are committed."""

    async def go():
        lane, consumer = opened(hl7=3, fhir=2)
        arrive(lane, consumer, B, *polled)
        return lane.name, lane.behind()

    assert ("domain-2", left) == asyncio.run(go())


def test_a_paused_lane_gives_out_nothing():
    """It takes nothing more and keeps what it has, until it is resumed."""

    async def go():
        lane, consumer = opened(hl7=1, fhir=0)
        arrive(lane, consumer, B, 2)
        lane.pause(paused=True)
        waiting = asyncio.create_task(batch(lane))
        await asyncio.sleep(0.02)
        seen = waiting.done(), lane.hungry(A)
        lane.pause(paused=False)
        return seen, await asyncio.wait_for(waiting, 0.5), lane.hungry(A)

    assert ((False, False), ["hl70"], True) == asyncio.run(go())


def test_a_paused_lane_can_be_ended():
    """Nobody waits for a lane that was paused before its partition went elsewhere."""

    async def go():
        lane, consumer = opened(hl7=1, fhir=0)
        arrive(lane, consumer, B, 2)
        lane.pause(paused=True)
        waiting = asyncio.create_task(batch(lane))
        await asyncio.sleep(0.02)
        lane.end()
        return await asyncio.wait_for(waiting, 0.5)

    assert asyncio.run(go()) is None
