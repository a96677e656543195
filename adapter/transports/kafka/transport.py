"""The Kafka transport: a lane per assigned input partition, with a producer that fences the last.

If topics share a patient memory, a lane is a partition of each of them: a group member is assigned
the same partition numbers of all topics (range), and one producer settles and fences them all.

aiokafka sends no group metadata with transactional offsets (KIP-447), so a rebalance alone fences
nobody. Each input partition therefore has its own transactional id: the process to which it is
assigned starts a producer with that id, which ends and fences the previous one, and only then reads
the committed offset. A late former owner can commit nothing after that.

One task polls; the event loop is free while workers work, so that heartbeats, which share it, are
never late. A full lane is not polled: its records stay at the broker while other lanes continue.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from aiokafka import AIOKafkaConsumer, ConsumerRebalanceListener, TopicPartition
from aiokafka.coordinator.assignors.range import RangePartitionAssignor
from aiokafka.coordinator.assignors.roundrobin import RoundRobinPartitionAssignor
from aiokafka.errors import (
    GroupAuthorizationFailedError,
    KafkaError,
    TopicAuthorizationFailedError,
)

from adapter.audit import Event, log
from adapter.errors import RuleError
from adapter.transports.kafka.admin import refuse_uneven_topics
from adapter.transports.kafka.broker import BrokerWatch, repeated
from adapter.transports.kafka.client import consumer_options, input_pattern
from adapter.transports.kafka.failures import quietly
from adapter.transports.kafka.lane import KafkaLane
from adapter.transports.merging import numbered
from adapter.transports.protocol import Channel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from adapter.config.kafka import Kafka
    from adapter.config.settings import Workers
    from adapter.sealing.chain import Signer

POLL_MS = 50
DOMAIN = "domain"
"""Name prefix of lanes over several topics, which is independent of the topics for fencing."""
FORBIDDEN = (GroupAuthorizationFailedError, TopicAuthorizationFailedError)


class KafkaTransport:
    """The transport over all assigned partitions of the input topics.

    With ``to_end``, each lane ends at the offset where its partition ended at the assignment, so
    that records written because of it are not read; the transport ends with its last lane.
    ``origin`` is a name pattern with "{topic}" in it, from which a topic's source topic is derived,
    the one whose patients it is about. With ``joined``, partitions with the same number are one
    lane, because all topics share a patient memory. ``signer`` signs audit records.
    """

    one_feed = False
    lasting_positions = True

    def __init__(
        self,
        kafka: Kafka,
        workers: Workers,
        *,
        to_end: bool = False,
        origin: str = "{topic}",
        joined: bool = False,
        signer: Signer | None = None,
    ) -> None:
        self.signer = signer
        self.to_end = to_end
        self.joined = joined
        self.origin = origin
        self.kafka = kafka
        self.batch_records = workers.batch_records
        self.batch_bytes = workers.batch_bytes
        self.drain_seconds = workers.drain_seconds
        self.exactly_once = kafka.guarantee == "exactly-once"
        self.wake = asyncio.Event()
        self._lanes: dict[TopicPartition, KafkaLane] = {}
        self._new: asyncio.Queue[KafkaLane | None] = asyncio.Queue()
        self._pump: asyncio.Task[None] | None = None
        self._draining = asyncio.Event()
        self._watching: asyncio.Task[None] | None = None
        self._ends: asyncio.Task[dict[TopicPartition, int]] | None = None
        self._refused: RuleError | None = None
        self._paused: set[str] = set()
        self.broker = BrokerWatch(kafka)
        self.consumer: AIOKafkaConsumer

    async def start(self) -> None:
        """Join the group once a broker answers; return early if told to drain.

        Raises:
            RuleError: topics that share a memory have different numbers of partitions.
        """
        if not self.exactly_once:
            log(Event.WEAK_GUARANTEE, "warning", guarantee=self.kafka.guarantee)
        if not await repeated(self._connect, self._draining):
            return
        if self.kafka.pattern is not None:
            pattern = input_pattern(self.kafka)
            re.compile(pattern)
            self.consumer.subscribe(pattern=pattern, listener=_Assignments(self))
        else:
            self.consumer.subscribe(topics=list(self.kafka.topics), listener=_Assignments(self))
        self._watching = asyncio.create_task(self.broker.run())
        self._pump = asyncio.create_task(self._poll())
        self._pump.add_done_callback(lambda _task: self._new.put_nowait(None))

    async def _connect(self) -> None:
        await self.broker.connect()
        if self.joined:
            await refuse_uneven_topics(self.kafka)
        assignor = RangePartitionAssignor if self.joined else RoundRobinPartitionAssignor
        consumer = AIOKafkaConsumer(
            partition_assignment_strategy=[assignor],
            **consumer_options(self.kafka),
        )
        try:
            await consumer.start()
        except BaseException:
            await quietly(consumer.stop())
            raise
        self.consumer = consumer

    async def lanes(self) -> AsyncIterator[KafkaLane]:
        """Yield lanes as partitions are assigned; ends on draining.

        Raises:
            KafkaError: polling failed permanently.
            RuleError: partitions that share a memory are assigned to different processes.
        """
        while (lane := await self._new.get()) is not None:
            yield lane
        if self._refused is not None:
            raise self._refused
        if self._pump is not None and self._pump.done() and not self._pump.cancelled():
            self._pump.result()

    def drain(self) -> None:
        """Take no further records; lanes end after the batches they have yielded."""
        self._draining.set()
        for lane in self._lanes.values():
            lane.end()
        self._new.put_nowait(None)

    async def stop(self) -> None:
        """Leave the group."""
        tasks = [task for task in (self._pump, self._ends, self._watching) if task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._pump is not None:
            await quietly(self.consumer.stop())
        await self.broker.stop()

    def lacking(self) -> tuple[str, ...]:
        """Return "broker" unless one answers, "lanes" unless there are lanes and all are open."""
        lanes = set(self._lanes.values())
        opened = lanes and all(lane.opened for lane in lanes)
        wanted = {"broker": self.broker.reached, "lanes": opened}
        return tuple(name for name, there in wanted.items() if not there)

    def public(self, topic: str) -> str:
        """Return the topic, whose name the operator chose."""
        return topic

    def lag(self) -> dict[str, int]:
        """Return lane name -> number of records after the last commit, as far as known."""
        return {lane.name: lane.behind() for lane in set(self._lanes.values())}

    def pause(self, name: str, *, paused: bool) -> None:
        """Pause or resume the lane with this name; a pause survives a new assignment."""
        (self._paused.add if paused else self._paused.discard)(name)
        for lane in set(self._lanes.values()):
            if lane.name == name:
                lane.pause(paused=paused)

    def topic(self, channel: Channel, source: str) -> str | None:
        """Return the topic of a channel, or None if it has none."""
        names = {
            Channel.RELEASED: self.kafka.released_to(source),
            Channel.HELD: self.kafka.quarantine,
            Channel.AUDIT: self.kafka.audit,
            Channel.STATE: self.kafka.state,
            Channel.ESCROW: self.kafka.escrow,
        }
        name = names[channel]
        return name.replace("{topic}", source) if name else None

    def closed(self, lane: KafkaLane) -> None:
        """Note that a lane has ended; a bounded input ends with its last lane."""
        for partition in lane.partitions:
            if self._lanes.get(partition) is lane:
                del self._lanes[partition]
        if self.to_end and not self._lanes:
            self._new.put_nowait(None)

    # ---- assignment ----

    async def revoked(self) -> None:
        """End all lanes, and wait a limited time for their current batches to be committed.

        Heartbeats continue meanwhile. A late lane is fenced by the partition's next owner.
        """
        lanes = set(self._lanes.values())
        self._lanes.clear()
        for lane in lanes:
            lane.end()
        if lanes:
            log(Event.REVOKED, partitions=len(lanes))
            closing = [asyncio.create_task(lane.closed.wait()) for lane in lanes]
            _done, late = await asyncio.wait(closing, timeout=self.drain_seconds)
            for task in late:
                task.cancel()

    def assigned(self, partitions: set[TopicPartition]) -> None:
        """Open a lane for each partition; each lane fences and seeks in its own task."""
        log(Event.ASSIGNED, partitions=len(partitions))
        if self._draining.is_set():
            return
        if self.to_end:
            self._ends = asyncio.create_task(self.consumer.end_offsets(list(partitions)))
        try:
            lanes = self._opened(partitions)
        except RuleError as refused:
            self._refused = refused
            self._new.put_nowait(None)
            return
        for lane in lanes:
            lane.pause(paused=lane.name in self._paused)
            self._lanes |= dict.fromkeys(lane.partitions, lane)
            self._new.put_nowait(lane)

    def _opened(self, partitions: set[TopicPartition]) -> list[KafkaLane]:
        """Return a lane for each partition, or if joined for each partition number.

        Raises:
            RuleError: some partitions of a number are missing.
        """
        if not self.joined:
            return [KafkaLane(self, partition) for partition in sorted(partitions)]
        same = numbered(partitions, self.consumer.subscription())
        return [KafkaLane(self, *each, name=f"{DOMAIN}-{n}") for n, each in same.items()]

    async def end_of(self, partition: TopicPartition) -> int | None:
        """Return the offset at which a lane ends, or None if it is unbounded."""
        if self._ends is None:
            return None
        return (await asyncio.shield(self._ends))[partition]

    # ---- polling ----

    async def _poll(self) -> None:
        """Move records from the consumer to the lanes that have room."""
        while True:
            hungry = [p for p, lane in self._lanes.items() if lane.hungry(p)]
            if not hungry:
                self.wake.clear()
                await self.wake.wait()
                continue
            try:
                fetched = await self.consumer.getmany(*hungry, timeout_ms=POLL_MS)
            except FORBIDDEN:
                raise
            except KafkaError as error:
                log(Event.POLL_FAILED, "warning", error=error)
                await asyncio.sleep(1)
                continue
            for partition, records in fetched.items():
                if (lane := self._lanes.get(partition)) is not None:
                    lane.take(partition, records)


class _Assignments(ConsumerRebalanceListener):  # type: ignore[misc]
    """Tells the transport which partitions it owns."""

    def __init__(self, transport: KafkaTransport) -> None:
        self._transport = transport

    async def on_partitions_revoked(self, revoked: set[TopicPartition]) -> None:
        """Give up all partitions, because the group rebalances (eager protocol)."""
        if revoked:
            await self._transport.revoked()

    async def on_partitions_assigned(self, assigned: set[TopicPartition]) -> None:
        """Open lanes for the partitions assigned by the rebalance."""
        self._transport.assigned(assigned)
