"""A transport that only reads: its transactions keep nothing, and it has no progress to lose.

What a backend lets a dry run read is a `Reader`: streams of records that are there now.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence

    from adapter.transports.protocol import Channel
    from adapter.types import Position, Record

AT_ONCE = 8
"""Streams that are open at once."""


@dataclass(frozen=True, slots=True)
class Stream:
    """Records that become a lane; ``name`` is fit for logs."""

    name: str
    batches: Callable[[], AsyncIterator[Sequence[Record]]] = field(repr=False)


class Reader(Protocol):
    """What is there to be read; reading it changes nothing for anybody.

    ``one_feed`` is that of the transport it stands for.
    """

    one_feed: bool

    async def start(self) -> None:
        """Look what is there now; what comes later is not read.

        Raises:
            RuleError: it cannot be reached, or is not there.
        """

    def streams(self) -> Sequence[Stream]:
        """What was there at the start."""

    def public(self, topic: str) -> str:
        """A name for the topic that is fit for logs."""

    async def stop(self) -> None:
        """Let go of everything."""


class DryRunTransport:
    """The lanes of a reader, of at most ``records`` records in all (0: no bound)."""

    def __init__(self, reader: Reader, records: int = 0) -> None:
        self.one_feed = reader.one_feed
        self.lasting_positions = False  # a record that waits for a service is not read again
        self.draining = False
        self.began = 0.0
        """Monotonic time of the first batch; 0 before it."""
        self._reader = reader
        self._left = records or None
        self._room = asyncio.Semaphore(1 if reader.one_feed else AT_ONCE)

    async def start(self) -> None:
        """Look what is there now.

        Raises:
            RuleError: it cannot be reached, or is not there.
        """
        await self._reader.start()

    async def lanes(self) -> AsyncIterator[DryRunLane]:
        """One lane for each stream, a few at a time."""
        for stream in self._reader.streams():
            await self._room.acquire()
            if self.draining or self._left == 0:
                return
            yield DryRunLane(self, stream)

    def drain(self) -> None:
        """Take no further batch."""
        self.draining = True
        self._room.release()

    async def stop(self) -> None:
        """Let go of everything."""
        await self._reader.stop()

    def public(self, topic: str) -> str:
        """A name for the topic that is fit for logs."""
        return self._reader.public(topic)

    def lag(self) -> dict[str, int]:
        """Nothing is settled, so nothing is behind."""
        return {}

    def lacking(self) -> tuple[str, ...]:
        """Nothing: it serves nobody."""
        return ()

    def taken(self, batch: Sequence[Record]) -> Sequence[Record]:
        """Return what of a batch is within the bound."""
        self.began = self.began or time.monotonic()
        if self.draining:
            return ()
        part = batch if self._left is None else batch[: self._left]
        self._left = None if self._left is None else self._left - len(part)
        return part

    def closed(self) -> None:
        """A lane was closed: another may open."""
        self._room.release()


@dataclass(slots=True)
class DryRunLane:
    """One stream."""

    transport: DryRunTransport
    stream: Stream

    @property
    def name(self) -> str:
        """The stream's."""
        return self.stream.name

    async def state(self) -> AsyncIterator[Record]:
        """Nothing: what the live service knows includes later messages."""
        return
        yield  # an asynchronous generator, as the protocol has it

    async def batches(self) -> AsyncIterator[Sequence[Record]]:
        """What is there, within the bound."""
        async for batch in self.stream.batches():
            if not (part := self.transport.taken(batch)):
                return
            yield part

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[DroppingTransaction]:
        """One that commits nothing."""
        yield DroppingTransaction()

    async def rewind(self) -> bool:
        """There is nothing to go back to."""
        return False

    async def close(self) -> None:
        """Let another open."""
        self.transport.closed()


class DroppingTransaction:
    """Takes everything and keeps nothing."""

    async def send(self, channel: Channel, record: Record) -> None:
        """Forget the record."""

    async def advance(self, position: Position) -> None:
        """Forget the progress."""
