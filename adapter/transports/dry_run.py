"""A transport that only reads: its transactions store nothing, and it keeps no progress.

A backend gives a dry run a `Reader`: streams of the records that exist now.
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
"""Maximum number of streams that are open at once."""


@dataclass(frozen=True, slots=True)
class Stream:
    """The records of one lane; ``name`` is safe for logs."""

    name: str
    batches: Callable[[], AsyncIterator[Sequence[Record]]] = field(repr=False)


class Reader(Protocol):
    """Reads the existing records of an input; reading has no side effects.

    ``one_feed`` is that of the transport that the reader replaces.
    """

    one_feed: bool

    async def start(self) -> None:
        """Find the existing records; records that arrive later are not read.

        Raises:
            RuleError: the input cannot be reached, or does not exist.
        """

    def streams(self) -> Sequence[Stream]:
        """Return the streams found by `start`."""

    def public(self, topic: str) -> str:
        """Return a name for the topic that is safe for logs."""

    async def stop(self) -> None:
        """Close all connections and files."""


class DryRunTransport:
    """A transport over a reader, of at most ``records`` records in all (0: unlimited)."""

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
        """Find the existing records.

        Raises:
            RuleError: the input cannot be reached, or does not exist.
        """
        await self._reader.start()

    async def lanes(self) -> AsyncIterator[DryRunLane]:
        """Yield a lane for each stream, a few at a time."""
        for stream in self._reader.streams():
            await self._room.acquire()
            if self.draining or self._left == 0:
                return
            yield DryRunLane(self, stream)

    def drain(self) -> None:
        """Stop taking batches."""
        self.draining = True
        self._room.release()

    async def stop(self) -> None:
        """Close the reader."""
        await self._reader.stop()

    def public(self, topic: str) -> str:
        """Return a name for the topic that is safe for logs."""
        return self._reader.public(topic)

    def lag(self) -> dict[str, int]:
        """Return nothing: a dry run settles no records, so it has no lag."""
        return {}

    def lacking(self) -> tuple[str, ...]:
        """Return nothing: a dry run needs no other service."""
        return ()

    def taken(self, batch: Sequence[Record]) -> Sequence[Record]:
        """Return the part of a batch that is within the limit of records; empty while draining."""
        self.began = self.began or time.monotonic()
        if self.draining:
            return ()
        part = batch if self._left is None else batch[: self._left]
        self._left = None if self._left is None else self._left - len(part)
        return part

    def closed(self) -> None:
        """Note that a lane was closed, so that another can open."""
        self._room.release()


@dataclass(slots=True)
class DryRunLane:
    """The lane of one stream."""

    transport: DryRunTransport
    stream: Stream

    @property
    def name(self) -> str:
        """The name of the stream."""
        return self.stream.name

    async def state(self) -> AsyncIterator[Record]:
        """Yield nothing: the patient memory of the live service includes later messages."""
        return
        yield  # an asynchronous generator, as the protocol has it

    async def batches(self) -> AsyncIterator[Sequence[Record]]:
        """Yield the existing records, within the limit."""
        async for batch in self.stream.batches():
            if not (part := self.transport.taken(batch)):
                return
            yield part

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[DroppingTransaction]:
        """Open a transaction that commits nothing."""
        yield DroppingTransaction()

    async def rewind(self) -> bool:
        """Return False: a dry run cannot rewind."""
        return False

    async def close(self) -> None:
        """Let another lane open."""
        self.transport.closed()


class DroppingTransaction:
    """A transaction that discards everything."""

    async def send(self, channel: Channel, record: Record) -> None:
        """Discard the record."""

    async def advance(self, position: Position) -> None:
        """Discard the progress."""
