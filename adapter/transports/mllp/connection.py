"""One sender's connection: reads bytes, passes messages to the lane, writes acknowledgements.

The memory of a sender is bounded: it is read only while few of its messages wait for their answers,
and a message of more than `SMALL` bytes waits for memory that all connections share.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol

from adapter.audit import Event, log
from adapter.transports.listener.results import State
from adapter.transports.mllp.answers import Letter, Receiver, Verdict, answers
from adapter.transports.mllp.framing import Framer, framed
from adapter.transports.mllp.header import Header, read_header

if TYPE_CHECKING:
    from adapter.config.listeners.mllp import Mllp
    from adapter.transports.listener.results import Result
    from adapter.transports.mllp.framing import Block

READ = 64 * 1024
SMALL = 256 * 1024
UNANSWERED = 16
"""Unanswered messages at which a connection is not read; most senders wait for each answer."""
STRAY = 64 * 1024
"""Consecutive bytes outside of messages above which a connection is closed."""
GRACE = 10.0
"""Seconds after the last read in which pending messages can still be answered."""
TOO_LARGE = Verdict(Letter.REJECT, "transport/too-large")
HELD = {"accept": Letter.ACCEPT, "error": Letter.ERROR, "reject": Letter.REJECT}


class Ended(StrEnum):
    """Why a connection was closed."""

    BY_SENDER = "by-sender"
    INCOMPLETE = "incomplete"
    """Closed by the sender within a message."""
    SLOW = "slow"
    IDLE = "idle"
    STRAY = "stray"
    LOST = "lost"
    STOPPED = "stopped"
    """The adapter stops."""


@dataclass(eq=False, slots=True)
class Arrival:
    """A message that waits for its outcome, and the connection to answer on."""

    connection: Connection = field(repr=False)
    value: bytes = field(repr=False)
    header: Header = field(repr=False)
    time_ms: int
    headers: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)

    @property
    def lost(self) -> bool:
        """Whether the sender's connection is lost."""
        return self.connection.lost

    def answer(self, result: Result) -> None:
        """Send the acknowledgement to the sender."""
        self.connection.answer(self, result)

    def drop(self) -> None:
        """Do nothing: the message stays with its sender, whose connection ends unanswered."""


class Owner(Protocol):
    """The part of the accepting transport that a connection uses."""

    mllp: Mllp
    large: asyncio.Semaphore

    def take(self, arrival: Arrival) -> None:
        """Queue a message after all earlier ones."""


class Connection:
    """Reads until the sender closes the connection or exceeds a limit."""

    def __init__(
        self, owner: Owner, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        self._owner, self._reader, self._writer = owner, reader, writer
        self._framer = Framer(owner.mllp.max_message_bytes)
        self._receiver = Receiver(owner.mllp.application, owner.mllp.facility)
        self._begun = 0.0
        self._stray = 0
        self._unanswered = 0
        self._bytes = 0
        self._answered = asyncio.Event()
        self._has_memory = False
        self.lost = False
        """Whether the sender is gone, so that messages not yet begun need not be processed."""

    async def run(self) -> None:
        """Serve the connection until its end."""
        reason = Ended.LOST
        try:
            reason = await self._read()
            with suppress(TimeoutError):
                async with asyncio.timeout(GRACE):
                    await self._room(1)
        except OSError:  # reset, or a TLS error
            reason = Ended.LOST
        except asyncio.CancelledError:
            reason = Ended.STOPPED
            raise
        finally:
            self.lost = True
            self._bytes = 0
            self._return_memory(closing=True)
            self._writer.close()
            quiet = reason in {Ended.BY_SENDER, Ended.STOPPED}
            stray, level = self._framer.stray, "debug" if quiet else "warning"
            log(Event.CONNECTION_CLOSED, level, code=reason.value, bytes=stray)

    async def closed(self) -> None:
        """Wait until everything that was written has been sent."""
        with suppress(OSError):
            await self._writer.wait_closed()

    # ---- in ----

    async def _read(self) -> Ended:
        while True:
            try:
                async with asyncio.timeout(self._patience()):
                    data = await self._reader.read(READ)
            except TimeoutError:
                return Ended.SLOW if self._framer.inside else Ended.IDLE
            if not data:
                return Ended.INCOMPLETE if self._framer.inside else Ended.BY_SENDER
            await self._fed(data)
            if self._framer.stray - self._stray > STRAY:
                return Ended.STRAY
            await self._writer.drain()  # a sender that does not read its answers is not read

    def _patience(self) -> float | None:
        """Return the seconds to wait for more bytes, or None for no limit."""
        if self._framer.inside:
            return max(0.0, self._begun + self._owner.mllp.message_seconds - time.monotonic())
        return self._owner.mllp.idle_seconds or None

    async def _fed(self, data: bytes) -> None:
        begun = self._framer.inside
        blocks = self._framer.feed(data)
        for block in blocks:
            self._stray = self._framer.stray
            await self._take(block)
        if blocks or not begun:
            self._begun = time.monotonic()
        if self._framer.pending > SMALL and not self._has_memory:
            since = time.monotonic()
            await self._owner.large.acquire()
            self._has_memory = True
            self._begun += time.monotonic() - since
        self._return_memory()

    async def _take(self, block: Block) -> None:
        """Pass a message to the lane; an empty block is ignored."""
        if not block.value.strip():
            return
        header = read_header(block.value)
        if not block.whole:
            await self._room(1)  # answers come in the order of messages
            log(Event.MESSAGE_REFUSED, "warning", code="too-large", bytes=block.size)
            self._write(header, TOO_LARGE)
            return
        self._unanswered += 1
        self._bytes += block.size
        self._owner.take(Arrival(self, block.value, header, time.time_ns() // 1_000_000))
        await self._room(UNANSWERED)

    async def _room(self, most: int) -> None:
        """Wait until fewer messages, and few bytes, wait for their answers."""
        while self._unanswered >= most or self._bytes >= SMALL:
            self._answered.clear()
            await self._answered.wait()

    def _return_memory(self, *, closing: bool = False) -> None:
        idle = self._bytes < SMALL and self._framer.pending <= SMALL
        if self._has_memory and (idle or closing):
            self._has_memory = False
            self._owner.large.release()

    # ---- out ----

    def answer(self, arrival: Arrival, result: Result) -> None:
        """Answer a message, if its sender is still connected."""
        if self.lost:
            return
        self._unanswered -= 1
        self._bytes -= len(arrival.value)
        self._answered.set()
        self._return_memory()
        self._write(arrival.header, self._verdict(result))

    def _verdict(self, result: Result) -> Verdict:
        letters = {State.RELEASED: Letter.ACCEPT, State.REFUSED: Letter.REJECT}
        letter = letters.get(result.state) or HELD[self._owner.mllp.held]
        return Verdict(letter, "" if letter is Letter.ACCEPT else result.code)

    def _write(self, header: Header, verdict: Verdict) -> None:
        if not self._writer.is_closing():
            blocks = map(framed, answers(header, verdict, self._receiver))
            self._writer.writelines(list(blocks))
