"""A source and a target as one transport: the runner that serves live topics replays them.

Lanes are those of the source. Their progress is the target's, so that what was committed is never
done again and what was not is; positions of the live consumer group are neither read nor written.
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
    """All lanes of a source into a target; a few are open at a time, in the order of names."""

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
        """Nothing: source and target were started with the plan."""

    async def lanes(self) -> AsyncIterator[ReplayLane]:
        """One lane for each of the source's."""
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
        """Nothing: source and target are needed to finish."""

    def public(self, topic: str) -> str:
        """The topic: its name is the operator's own."""
        return topic

    def lag(self) -> dict[str, int]:
        """Records not settled yet."""
        none = Progress()
        return {x.name: x.records - self.progress.get(x.name, none).records for x in self.ranges}

    def lacking(self) -> tuple[str, ...]:
        """Nothing: it asks nobody."""
        return ()

    def read(self, lane: str, upto: int) -> None:
        """Take note that a lane has been given out to its end."""
        self._read[lane] = upto

    @property
    def complete(self) -> bool:
        """Whether everything was read and settled."""
        return all(
            lane.name in self._read and self.progress[lane.name].next >= self._read[lane.name]
            for lane in self.ranges
        )

    def closed(self) -> None:
        """A lane was closed: another may open."""
        self._room.release()


@dataclass(slots=True)
class ReplayLane:
    """A lane of the source, settled in the target."""

    transport: ReplayTransport
    lane: LaneRange
    target: TargetLane
    _failures: int = 0
    _open: bool = False

    @property
    def name(self) -> str:
        """Topic and partition."""
        return self.lane.name

    @property
    def done(self) -> Progress:
        """What is settled of it."""
        return self.transport.progress[self.name]

    async def state(self) -> AsyncIterator[Record]:
        """What earlier transactions, of this run or the one it resumes, have sent to the state."""
        async for record in self.target.state():
            yield record

    async def batches(self) -> AsyncIterator[Sequence[Record]]:
        """Records after the last settled one, no faster than the settings allow."""
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
        """One of the target, with the lane's progress in it."""
        async with self.target.transaction() as inner:
            transaction = ReplayTransaction(inner, self.done.copy())
            yield transaction
            await inner.settle(transaction.progress)
        self.transport.progress[self.name] = transaction.progress
        self._failures = 0

    async def rewind(self) -> bool:
        """Back to the target's progress; not for ever, for a replay can be resumed.

        Raises:
            ReplayError: the target has failed too often in a row.
        """
        self._failures += 1
        if self._failures >= self.transport.attempts:
            raise ReplayError(self.name, "the target takes nothing; resume when it does")
        self._open = False
        await self._fence()
        return not self.transport.draining

    async def close(self) -> None:
        """Close the target's."""
        await self.target.close()
        self.transport.closed()


@dataclass(slots=True)
class ReplayTransaction:
    """Counts what is sent; the counts are part of the progress."""

    inner: TargetTransaction
    progress: Progress = field(repr=False)

    async def send(self, channel: Channel, record: Record) -> None:
        """Send, then count: what is refused did not happen."""
        await self.inner.send(channel, record)
        self.progress.sent(channel, record)

    async def advance(self, position: Position) -> None:
        """Take the progress to there."""
        self.progress.advance(position)
