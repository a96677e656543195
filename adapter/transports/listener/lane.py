"""The one lane of a listener: messages of all connections in the order of their arrival.

A message is answered when the transaction that settles it is committed. After a failure the
messages whose senders are still there come again, under the positions they had.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from adapter.transports.listener.results import result_of
from adapter.types import Position, Record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
    from contextlib import AbstractAsyncContextManager

    from adapter.config.settings import Workers
    from adapter.transports.listener.results import Result
    from adapter.transports.protocol import Channel, Transaction


class Arrival(Protocol):
    """A message that waits for its outcome."""

    @property
    def value(self) -> bytes:
        """What came."""

    @property
    def headers(self) -> tuple[tuple[str, bytes], ...]:
        """What its record bears."""

    @property
    def time_ms(self) -> int:
        """When it came, in milliseconds since the epoch."""

    @property
    def lost(self) -> bool:
        """Whether nobody is there to be answered."""

    def answer(self, result: Result) -> None:
        """Tell the sender what became of it."""

    def drop(self) -> None:
        """Let go of it: it was not begun, or its outcome is not known, and will not be."""


class Outlet(Protocol):
    """Where outcomes go: what is committed there is out, whatever happens afterwards."""

    async def open(self) -> int | None:
        """Connect, or connect anew after a failure; return the last offset committed, if known.

        Raises:
            TransportError: that cannot be done now.
        """

    def state(self) -> AsyncIterator[Record]:
        """What was sent to the state, oldest first."""

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """Commit, on the disk or the broker, when the block is left."""

    async def close(self) -> None:
        """Let go of everything."""


class ListenerLane:
    """Messages that wait, and those whose outcome is not committed yet."""

    def __init__(
        self, name: str, workers: Workers, outlet: Outlet, listen: Callable[[], Awaitable[None]]
    ) -> None:
        """Wait for messages; ``listen`` lets senders in, once the outlet is open."""
        self.name = name
        self.outlet = outlet
        self._listen = listen
        self._opened = False
        self._most, self._most_bytes = workers.batch_records, workers.batch_bytes
        self._next = time.time_ns() // 1000  # no position is given twice, not by another run
        self._waiting: deque[tuple[int, Arrival]] = deque()
        self._given: dict[int, Arrival] = {}
        self._undecided: Mapping[int, Result] = {}
        self._arrived = asyncio.Event()
        self._ending = False

    def take(self, arrival: Arrival) -> None:
        """Take a message in; while the lane ends, it stays with its sender."""
        if self._ending:
            arrival.drop()
        else:
            self._waiting.append((self._next, arrival))
            self._next += 1
            self._arrived.set()

    def end(self) -> None:
        """Give out nothing more."""
        self._ending = True
        while self._waiting:
            self._waiting.popleft()[1].drop()
        self._arrived.set()

    def waiting(self) -> int:
        """Messages not given out yet."""
        return len(self._waiting)

    async def state(self) -> AsyncIterator[Record]:
        """What earlier transactions have sent to the state."""
        async for record in self.outlet.state():
            yield record

    async def batches(self) -> AsyncIterator[Sequence[Record]]:
        """What waits, within the bounds of records and bytes, once the outlet is open.

        Raises:
            TransportError: it cannot be opened now.
        """
        if not self._opened:
            await self.rewind()
        while not self._ending:
            batch = self._cut()
            if batch:
                yield batch
            else:
                self._arrived.clear()
                await self._arrived.wait()

    def _cut(self) -> list[Record]:
        batch: list[Record] = []
        size = 0
        while self._waiting and len(batch) < self._most:
            offset, arrival = self._waiting[0]
            size += len(arrival.value)
            if batch and size > self._most_bytes:
                break
            self._waiting.popleft()
            if arrival.lost:
                arrival.drop()
            else:
                self._given[offset] = arrival
                batch.append(self._record(offset, arrival))
        return batch

    def _record(self, offset: int, arrival: Arrival) -> Record:
        position = Position(self.name, 0, offset)
        return Record(arrival.value, position, headers=arrival.headers, timestamp=arrival.time_ms)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[ListenerTransaction]:
        """A transaction of the outlet; once it is committed, its messages are answered."""
        async with self.outlet.transaction() as inner:
            transaction = ListenerTransaction(inner)
            yield transaction
            self._undecided = transaction.results
        self._answer(transaction.results)

    def _answer(self, results: Mapping[int, Result]) -> None:
        for offset, result in results.items():
            if (arrival := self._given.pop(offset, None)) is not None:
                arrival.answer(result)
        self._undecided = {}

    async def rewind(self) -> bool:
        """Learn what was committed after all; what was not comes again."""
        committed = await self.outlet.open()
        if not (self._opened or self._ending):
            self._opened = True
            self._next = max(self._next, (committed or 0) + 1)  # a clock may have been set back
            await self._listen()
        done = -1 if committed is None else committed
        self._answer({at: told for at, told in self._undecided.items() if at <= done})
        self._waiting.extendleft(sorted(self._given.items(), reverse=True))
        self._given.clear()
        return not self._ending

    async def close(self) -> None:
        """What was not answered stays with its senders."""
        self.end()
        for arrival in self._given.values():
            arrival.drop()
        self._given.clear()


@dataclass(slots=True)
class ListenerTransaction:
    """What becomes of a batch, and what its senders are told once it is committed."""

    inner: Transaction
    results: dict[int, Result] = field(default_factory=dict, repr=False)

    async def send(self, channel: Channel, record: Record) -> None:
        """Write a record; a message is kept if it is released, or held with all its bytes."""
        await self.inner.send(channel, record)
        if result := result_of(channel, record):
            self.results[record.position.offset] = result

    async def advance(self, position: Position) -> None:
        """Write the progress."""
        await self.inner.advance(position)
