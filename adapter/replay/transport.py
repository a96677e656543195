"""A source and a target as one transport, so that the live runner can run a replay.

Lanes are those of the source. Their progress is stored by the target, so that exactly the
uncommitted records are processed again; positions of the live consumer group are not touched.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.replay.errors import ReplayError
from adapter.replay.progress import Progress

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from adapter.replay.protocol import Source, Target, TargetLane, TargetTransaction
    from adapter.replay.rate import Rate
    from adapter.replay.survey import LaneRange
    from adapter.transports.protocol import Channel
    from adapter.types import Position, Record


class ReplayTransport:
    """Moves all lanes of a source into a target, at most ``at_once`` at a time, in given order."""

    one_feed = False
    lasting_positions = True

    def __init__(
        self,
        source: Source,
        target: Target,
        lanes: Sequence[LaneRange],
        rate: Rate,
        *,
        at_once: int = 16,
        attempts: int = 5,
    ) -> None:
        self.source = source
        self.target = target
        self.rate = rate
        self.attempts = attempts
        self.progress: dict[str, Progress] = {}
        self.draining = False
        self.ranges = lanes
        self._room = asyncio.Semaphore(at_once)
        self._read: dict[str, int] = {}

    async def start(self) -> None:
        """Do nothing: source and target are already started."""

    async def lanes(self) -> AsyncIterator[ReplayLane]:
        """Yield a lane for each lane of the source."""
        for lane in self.ranges:
            await self._room.acquire()
            if self.draining:
                return
            yield ReplayLane(self, lane, self.target.lane(lane))

    def drain(self) -> None:
        """Begin no further lane and no further batch."""
        self.draining = True
        self.rate.stop()

    async def stop(self) -> None:
        """Do nothing: source and target are still needed to finish."""

    def public(self, topic: str) -> str:
        """Return the topic's name unchanged: the operator chose it."""
        return topic

    def lag(self) -> dict[str, int]:
        """Return the number of unsettled records by lane."""
        none = Progress()
        return {x.name: x.records - self.progress.get(x.name, none).records for x in self.ranges}

    def lacking(self) -> tuple[str, ...]:
        """Return (): a replay waits for neither broker nor lanes."""
        return ()

    def read(self, lane: str, upto: int) -> None:
        """Record that a lane was read to its end, the offset ``upto``."""
        self._read[lane] = upto

    @property
    def complete(self) -> bool:
        """Whether all lanes were read to their end and settled."""
        return all(
            lane.name in self._read and self.progress[lane.name].next >= self._read[lane.name]
            for lane in self.ranges
        )

    def closed(self) -> None:
        """Record that a lane was closed, so that another may open."""
        self._room.release()


@dataclass(slots=True)
class ReplayLane:
    """A lane of the source that is settled in the target."""

    transport: ReplayTransport
    lane: LaneRange
    target: TargetLane
    _failures: int = 0
    _open: bool = False

    @property
    def name(self) -> str:
        """The lane's name: topic and partition."""
        return self.lane.name

    @property
    def done(self) -> Progress:
        """The settled progress of the lane."""
        return self.transport.progress[self.name]

    async def state(self) -> AsyncIterator[Record]:
        """Yield the state records of earlier transactions, of this or the resumed run."""
        async for record in self.target.state():
            yield record

    async def batches(self) -> AsyncIterator[Sequence[Record]]:
        """Yield records after the last settled one, within the rate of the settings."""
        if not self._open:
            await self._fence()
        transport = self.transport
        start = upto = max(self.lane.first, self.done.next)
        async for batch in transport.source.batches(self.lane, start):
            await transport.rate.take(batch)
            if transport.draining:
                return
            upto = batch[-1].position.offset + 1
            yield batch
        transport.read(self.name, upto)

    async def _fence(self) -> None:
        found = await self.target.progress()
        self.transport.progress[self.name] = found or Progress(next=self.lane.first)
        self._open = True

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[ReplayTransaction]:
        """Return a transaction of the target that includes the lane's progress."""
        async with self.target.transaction() as inner:
            transaction = ReplayTransaction(inner, self.done.copy())
            yield transaction
            await inner.settle(transaction.progress)
        self.transport.progress[self.name] = transaction.progress
        self._failures = 0

    async def rewind(self) -> bool:
        """Return to the target's progress; give up after several attempts, as replays can resume.

        Raises:
            ReplayError: the target has failed too often in a row.
        """
        self._failures += 1
        if self._failures >= self.transport.attempts:
            raise ReplayError(
                self.name, "the target accepts no messages; continue with --resume when it does"
            )
        self._open = False
        await self._fence()
        return not self.transport.draining

    async def close(self) -> None:
        """Close the target's lane."""
        await self.target.close()
        self.transport.closed()


@dataclass(slots=True)
class ReplayTransaction:
    """Counts the records sent, as part of the progress."""

    inner: TargetTransaction
    progress: Progress = field(repr=False)

    async def send(self, channel: Channel, record: Record) -> None:
        """Send a record, then count it: refused records do not count."""
        await self.inner.send(channel, record)
        self.progress.sent(channel, record)

    async def advance(self, position: Position) -> None:
        """Advance the progress to a position."""
        self.progress.advance(position)
