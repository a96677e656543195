"""A Kafka lane: how it merges its partitions, and at which offsets it starts and continues."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace

import pytest
from aiokafka import TopicPartition

from adapter.audit import configure_logs
from adapter.config.kafka import Kafka
from adapter.transports.kafka import lane as module
from adapter.transports.kafka.lane import KafkaLane
from adapter.transports.protocol import TransportError

A, B = TopicPartition("fhir", 2), TopicPartition("hl7", 2)


class Consumer:
    """A consumer over known numbers of records at the broker and polled so far."""

    def __init__(self, **known):
        self.ends = {A: known.get("fhir"), B: known.get("hl7")}
        self.polled = {A: 0, B: 0}

    def last_stable_offset(self, partition):
        """Return the end of committed records as of the last fetch; None before the first."""
        return self.ends[partition]

    async def position(self, partition):
        """Return the offset of the next record to poll."""
        return self.polled[partition]

    def highwater(self, partition):
        """Return the end of all records."""
        return self.ends[partition]


def opened(**known):
    """Return an open lane of both partitions, and its consumer over this many records per topic."""
    consumer = Consumer(**known)
    owner = SimpleNamespace(
        consumer=consumer, kafka=Kafka(), batch_records=10, batch_bytes=1000, wake=asyncio.Event()
    )
    lane = KafkaLane(owner, A, B, name="domain-2")
    lane._open, lane._end = True, {A: None, B: None}
    lane.settled.offsets |= {A: 0, B: 0}
    return lane, consumer


def arrive(lane, consumer, partition, *timestamps):
    """Poll the next records of a partition."""
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
    """Return topic and offset of each record of the next batch."""
    async for records in lane.batches():
        return [f"{each.position.topic}{each.position.offset}" for each in records]
    return None


def test_it_waits_for_the_topic_that_has_more():
    """Records of two topics are in timestamp order, whichever topic is fetched first."""

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
    """If the other topic has no unread records, a record is yielded at once."""

    async def go():
        lane, consumer = opened(hl7=1, fhir=0)
        arrive(lane, consumer, B, 2)
        return await asyncio.wait_for(batch(lane), 0.5)

    assert ["hl70"] == asyncio.run(go())


def test_patience_ends(monkeypatch):
    """A topic whose records are not fetched delays another only for a limited time."""
    monkeypatch.setattr(module, "PATIENCE", 0.05)

    async def go():
        lane, consumer = opened(hl7=1)
        arrive(lane, consumer, B, 2)
        return await asyncio.wait_for(batch(lane), 5)

    assert ["hl70"] == asyncio.run(go())


def test_it_ends_while_it_waits():
    """A lane that is ended while it waits for another topic yields nothing."""

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
    """The lag counts buffered and unpolled records of all partitions until they are committed."""

    async def go():
        lane, consumer = opened(hl7=3, fhir=2)
        arrive(lane, consumer, B, *polled)
        return lane.name, lane.behind()

    assert ("domain-2", left) == asyncio.run(go())


def test_a_paused_lane_gives_out_nothing():
    """A paused lane takes and yields nothing, and keeps its buffer until it is resumed."""

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
    """A paused lane can be ended."""

    async def go():
        lane, consumer = opened(hl7=1, fhir=0)
        arrive(lane, consumer, B, 2)
        lane.pause(paused=True)
        waiting = asyncio.create_task(batch(lane))
        await asyncio.sleep(0.02)
        lane.end()
        return await asyncio.wait_for(waiting, 0.5)

    assert asyncio.run(go()) is None


# ---- where it begins, and begins anew ----


class Broker:
    """One partition with offsets from ``begin`` to ``end``, and a group's committed offset.

    It acts as consumer and producer too. Like aiokafka, it restarts at the first existing record if
    a consumer asks for an offset outside of the partition.
    """

    client = None

    def __init__(self, begin=0, end=0, committed=None):
        self.begin, self.end, self.committed = begin, end, committed
        self.position = 0

    def seek(self, _partition, offset):
        """Continue reading at an offset."""
        self.position = offset

    def assignment(self):
        """Return the partition."""
        return {A}

    async def beginning_offsets(self, _partitions):
        """Return the first offset."""
        return {A: self.begin}

    async def end_offsets(self, _partitions):
        """Return the end offset."""
        return {A: self.end}

    async def stable_offset(self, *_):
        """Return the group's offset."""
        return self.committed

    async def commit(self, offsets, _group=""):
        """Store the group's offset."""
        self.committed = (offsets[A].offset, offsets[A].metadata)

    send_offsets_to_transaction = commit

    async def nothing(self):
        """Do nothing, as begin, end or flush."""

    stop = flush = begin_transaction = commit_transaction = nothing

    def polled(self):
        """Return the records from the position to the end."""
        at = self.position if self.begin <= self.position <= self.end else self.begin
        self.position = self.end
        return [
            SimpleNamespace(
                topic=A.topic, partition=A.partition, offset=offset,
                value=b"x", key=None, headers=(), timestamp=1,
            )
            for offset in range(at, self.end)
        ]  # fmt: skip


@pytest.fixture
def lane_over(monkeypatch):
    """Return a function that makes a lane over a broker."""

    def made(broker, start="earliest", *, exactly_once=True):
        async def producer(_lane):
            return broker

        async def end_of(_partition):
            return None

        monkeypatch.setattr(module, "stable_offset", broker.stable_offset)
        monkeypatch.setattr(KafkaLane, "_producer", producer)
        owner = SimpleNamespace(
            kafka=Kafka(app="ward", start=start), batch_records=10, batch_bytes=1000,
            wake=asyncio.Event(), consumer=broker, end_of=end_of, exactly_once=exactly_once,
            signer=None,
        )  # fmt: skip
        return KafkaLane(owner, A)

    return made


async def offsets(lane, broker):
    """Return the offsets of the next batch."""
    lane.take(A, broker.polled())
    async with asyncio.timeout(1):
        async for records in lane.batches():
            return [record.position.offset for record in records]
    return None


@pytest.mark.parametrize("exactly_once", [True, False])
def test_a_group_that_begins_at_the_end_begins_there_once(lane_over, exactly_once):
    """A new group that starts at the end commits that start, so a later start skips no record."""
    broker = Broker(end=100)

    async def go():
        lane = lane_over(broker, "latest", exactly_once=exactly_once)
        await lane.rewind()
        broker.end = 102
        read = await offsets(lane, broker)
        await lane.rewind()
        again = await offsets(lane, broker)
        successor = lane_over(broker, "latest", exactly_once=exactly_once)
        await successor.rewind()
        return read, again, await offsets(successor, broker)

    assert ([100, 101],) * 3 == asyncio.run(go())


def test_a_group_that_begins_at_the_beginning_commits_nothing(lane_over):
    """A new group that starts at the beginning commits no offset before its first batch."""
    broker = Broker(begin=5, end=7)

    async def go():
        lane = lane_over(broker)
        await lane.rewind()
        return await offsets(lane, broker)

    assert ([5, 6], None) == (asyncio.run(go()), broker.committed)


def test_a_topic_made_anew_is_not_read_past(lane_over):
    """If a topic ends before the group's offset, the lane fails until the offset is reset."""
    broker = Broker(end=50, committed=(1000, ""))

    async def go():
        lane = lane_over(broker)
        for _ in range(2):
            with pytest.raises(TransportError, match=r"^transport/offset-lost$") as lost:
                await lane.rewind()
        broker.committed = (0, "")
        await lane.rewind()
        return lost.value.cause.topic, lane.opened, len(await offsets(lane, broker))

    assert (A.topic, True, 10) == asyncio.run(go())


def test_a_topic_made_anew_under_an_open_lane_fails_it_for_good(lane_over):
    """If a topic is recreated under an open lane, the lane fails even once it has more records."""
    broker = Broker(end=1000, committed=(1000, ""))

    async def go():
        lane = lane_over(broker)
        await lane.rewind()
        broker.end = 50
        with pytest.raises(TransportError, match=r"^transport/offset-lost$"):
            await offsets(lane, broker)
        broker.end = 2000
        with pytest.raises(TransportError, match=r"^transport/offset-lost$") as lost:
            await lane.rewind()
        return lost.value.cause.topic, lane.opened

    assert (A.topic, False) == asyncio.run(go())


@pytest.mark.parametrize("begin", [0, 20, 25])
def test_what_was_deleted_before_it_was_read_is_logged(lane_over, capfd, begin):
    """If retention deleted unread records, the lane continues after them and logs their number."""
    broker = Broker(begin=begin, end=30, committed=(20, ""))

    async def go():
        lane = lane_over(broker)
        await lane.rewind()
        return await offsets(lane, broker)

    configure_logs("warning")
    assert list(range(max(begin, 20), 30)) == asyncio.run(go())
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert [line["records"] for line in lines] == ([begin - 20] if begin > 20 else [])
    assert all((line["level"], line["topic"], line["partition"]) == ("error", *A) for line in lines)
