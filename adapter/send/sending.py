"""Sends one message after another to the receiver, in order; a skipped message is logged."""

from __future__ import annotations

import asyncio
import os
import re
import tempfile
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from adapter.audit import Event, log
from adapter.codecs.hl7v2.framing import detect
from adapter.send.receiver import ACCEPTED, NoAnswerError
from adapter.transports.files.disk import sync

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from adapter.config.send import Send
    from adapter.send.receiver import Receiver

LONGEST_PAUSE = 60.0
_MESSAGE = re.compile(rb"(?:\A|[\r\n])[ \t]*MSH")
"""The start of a message; a batch header or trailer without messages has none."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A released message, and a name of its place that is safe as a file name."""

    value: bytes = field(repr=False)
    place: str = field(repr=False)
    position: tuple[str, int, int] = field(repr=False)
    """Topic or file, partition, offset or index."""


class Source(Protocol):
    """A source of released messages, in order, from the first that was not delivered."""

    def messages(self, stop: asyncio.Event) -> AsyncIterator[Outgoing]:
        """Yield the existing messages, then new ones until stopped, unless the source is to end."""

    async def settle(self, message: Outgoing) -> None:
        """Record, on the disk or the broker, that a message needs no more sending."""

    async def close(self) -> None:
        """Close all files and connections."""


class RefusedError(Exception):
    """The receiver refuses a message, and no folder for it is set; ``place`` names the message."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.place = place


@dataclass(slots=True)
class Sending:
    """Sends the messages of a source until it ends or ``stop`` is set."""

    source: Source
    receiver: Receiver
    send: Send
    stop: asyncio.Event
    delivered: int = 0
    set_aside: int = 0

    async def run(self) -> None:
        """Send everything.

        Raises:
            RefusedError: a message was refused too often, and ``send.refused`` names no folder.
        """
        try:
            async for message in self.source.messages(self.stop):
                if detect(message.value) != "hl7v2" or not _MESSAGE.search(message.value):
                    log(Event.PASSED_OVER, "warning", code="not-hl7v2", offset=message.position[2])
                elif not await self._sent(message):
                    return
                await self.source.settle(message)
                if self.stop.is_set():
                    return
        finally:
            await self.receiver.close()
            await self.source.close()

    async def _sent(self, message: Outgoing) -> bool:
        """Send a message until it is accepted or set aside; return False if stopped before."""
        refusals = tries = 0
        while refusals < self.send.attempts:
            code = await self._code(message, tries)
            if code in ACCEPTED or code == "":
                self.delivered += 1
                return True
            refusals += code is not None
            tries += 1
            if refusals < self.send.attempts and not await self._paused(tries):
                return False
        self._put_aside(message)
        return True

    async def _code(self, message: Outgoing, tries: int) -> str | None:
        """Return the receiver's answer code, or None if there was no answer."""
        try:
            code = await self.receiver.deliver(message.value)
        except NoAnswerError as error:
            log(Event.NO_ANSWER, "warning", error=str(error), attempt=tries + 1)
            return None
        if code not in ACCEPTED and code:
            told = code if len(code) == 2 and code.isalpha() else "other"  # noqa: PLR2004 - MSA-1
            log(Event.NOT_ACCEPTED, "warning", code=told, attempt=tries + 1)
        return code

    async def _paused(self, tries: int) -> bool:
        """Wait before the next try; return False if stopped."""
        pause = min(LONGEST_PAUSE, self.send.retry_seconds * 2 ** min(tries - 1, 10))
        with suppress(TimeoutError):
            await asyncio.wait_for(self.stop.wait(), pause)
        return not self.stop.is_set()

    def _put_aside(self, message: Outgoing) -> None:
        if self.send.refused is None:
            raise RefusedError(message.place)
        keep(self.send.refused, message.place, message.value)
        self.set_aside += 1
        log(Event.SET_ASIDE, "warning", offset=message.position[2])


def keep(folder: Path, place: str, value: bytes) -> None:
    """Write a message to a file for its owner only, and wait until it is on the disk.

    If a file of that name has other bytes, it is kept and a number is added to the new name.
    """
    folder.mkdir(parents=True, exist_ok=True)
    descriptor, part = tempfile.mkstemp(prefix=".", suffix=".part", dir=folder)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(value)
            stream.flush()
            os.fsync(descriptor)
        _named(Path(part), place, value)
    finally:
        Path(part).unlink()
    sync(folder)


def _named(part: Path, place: str, value: bytes) -> None:
    """Link a file to the first name that no other message has."""
    for number in count(1):
        target = part.with_name(f"{place}.hl7" if number == 1 else f"{place}~{number}.hl7")
        try:
            target.hardlink_to(part)
        except FileExistsError:
            if target.read_bytes() != value:
                continue
        return
