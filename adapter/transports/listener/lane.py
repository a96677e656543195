"""The one lane of a listener: messages of all connections in the order of their arrival.

A message is answered when the transaction that settles it is committed. After a failure, messages
whose senders are still connected are processed again, under the same positions.
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
        """The bytes of the message."""

    @property
    def headers(self) -> tuple[tuple[str, bytes], ...]:
        """The headers of its record."""

    @property
    def time_ms(self) -> int:
        """The time of arrival, in milliseconds since the epoch."""

    @property
    def lost(self) -> bool:
        """Whether the sender no longer waits for an answer."""

    def answer(self, result: Result) -> None:
        """Send the outcome to the sender."""

    def drop(self) -> None:
        """Give the message up: it was not processed, or its outcome will stay unknown."""


class Outlet(Protocol):
    """The destination of outcomes; whatever it has committed stays committed."""

    async def open(self) -> int | None:
        """Connect, or reconnect after a failure; return the last offset committed, or None.

        Raises:
            TransportError: it cannot connect now.
        """

    def state(self) -> AsyncIterator[Record]:
        """Yield the committed state records, oldest first."""

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """Open a transaction, committed to the disk or the broker when the block is left."""

    async def close(self) -> None:
        """Close all files and connections."""


class ListenerLane:
    """The waiting messages, and those whose outcome is not committed yet."""

    def __init__(
        self, name: str, workers: Workers, outlet: Outlet, listen: Callable[[], Awaitable[None]]
    ) -> None:
        """Make an empty lane; ``listen`` accepts connections, once the outlet is open."""
        self.name = name
        self.outlet = outlet
        self._listen = listen
        self._opened = False
        self._most, self._most_bytes = workers.batch_records, workers.batch_bytes
        self._next = time.time_ns() // 1000  # positions are unique, across runs too
        self._waiting: deque[tuple[int, Arrival]] = deque()
        self._given: dict[int, Arrival] = {}
        self._undecided: Mapping[int, Result] = {}
        self._arrived = asyncio.Event()
        self._ending = False

    def take(self, arrival: Arrival) -> None:
        """Queue a message; if the lane is ending, drop it, so that its sender keeps it."""
        if self._ending:
            arrival.drop()
        else:
            self._waiting.append((self._next, arrival))
            self._next += 1
            self._arrived.set()

    def end(self) -> None:
        """Drop the waiting messages, and yield no further batch."""
        self._ending = True
        while self._waiting:
            self._waiting.popleft()[1].drop()
        self._arrived.set()

    def waiting(self) -> int:
        """Return the number of messages not yielded yet."""
        return len(self._waiting)

    async def state(self) -> AsyncIterator[Record]:
        """Yield the state records of earlier transactions."""
        async for record in self.outlet.state():
            yield record

    async def batches(self) -> AsyncIterator[Sequence[Record]]:
        """Yield batches of waiting messages, within the limits of records and bytes.

        Raises:
            TransportError: the outlet cannot be opened now.
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
        """Open a transaction of the outlet; after its commit, its messages are answered."""
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
        """Reopen the outlet; answer messages that were committed, and queue the others again."""
        committed = await self.outlet.open()
        if not (self._opened or self._ending):
            self._opened = True
            self._next = max(self._next, (committed or 0) + 1)  # the clock may be set back
            await self._listen()
        done = -1 if committed is None else committed
        self._answer({at: told for at, told in self._undecided.items() if at <= done})
        self._waiting.extendleft(sorted(self._given.items(), reverse=True))
        self._given.clear()
        return not self._ending

    async def close(self) -> None:
        """End the lane; unanswered messages stay with their senders."""
        self.end()
        for arrival in self._given.values():
            arrival.drop()
        self._given.clear()


@dataclass(slots=True)
class ListenerTransaction:
    """The outcomes of a batch, sent to the senders after the commit."""

    inner: Transaction
    results: dict[int, Result] = field(default_factory=dict, repr=False)

    async def send(self, channel: Channel, record: Record) -> None:
        """Write a record, and note the outcome of its message if the record states one."""
        await self.inner.send(channel, record)
        if result := result_of(channel, record):
            self.results[record.position.offset] = result

    async def advance(self, position: Position) -> None:
        """Set the position up to which records are settled."""
        await self.inner.advance(position)
