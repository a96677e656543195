"""A listener for tests: a runner without worker processes, over an outlet in memory."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from hl7.mllp import open_hl7_connection

from adapter.audit import Audit
from adapter.config.listeners.mllp import Mllp
from adapter.config.settings import Workers
from adapter.runtime.provenance import Provenance
from adapter.runtime.runner import Runner
from adapter.sealing.quarantine import Sealer
from adapter.transports.mllp.transport import MllpTransport
from adapter.transports.protocol import Channel, RefusedError, TransportError
from adapter.types import Hold, Processed, Release

SEALER = Sealer("q1", {"q1": bytes(range(32))})
LIMIT = 1 << 24


def adt(number=1, text="x", enhanced="||") -> bytes:
    """Return the message with this number."""
    return (
        f"MSH|^~\\&|LAB|H|EHR|H|20240102||ADT^A01|C{number}|P|2.5|{enhanced}\r"
        f"PID|1||{number}^^^H^MR||QUILLFEATHER^{text}\r"
    ).encode()


def outcome(record):
    """Release HL7 v2 without the patient's name; hold anything else."""
    if not record.value.startswith(b"MSH"):
        return Hold("decode", "unknown-format")
    return Release(record.value.replace(b"QUILLFEATHER", b"OKAFOR"), format="hl7v2")


@dataclass
class Inline:
    """A pool without processes, which waits until ``gate`` is set."""

    gate: asyncio.Event = field(default_factory=asyncio.Event)
    restarts: int = 0

    async def run(self, batch, _notes=None):
        """Return the outcomes of a batch once the gate is open."""
        await self.gate.wait()
        return [Processed(outcome(record), 0.1) for record in batch]


@dataclass
class Shelf:
    """An outlet in memory; each of ``faults`` makes a commit fail before or after its effect."""

    kept: list = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    most: int = 1 << 30
    offset: int | None = None
    opened: int = 0
    closed: int = 0
    """Number of times that `open` fails at first."""

    async def open(self):
        """Return the last offset."""
        self.opened += 1
        if self.opened <= self.closed:
            raise TransportError("unreachable")
        return self.offset

    async def state(self):
        """Yield nothing: no state is stored."""
        for record in ():
            yield record

    @asynccontextmanager
    async def transaction(self):
        """Commit when the block ends without an exception."""
        batch = ShelfTransaction(self.most)
        yield batch
        fault = self.faults.pop(0) if self.faults else ""
        if fault == "before":
            raise TransportError("send-failed")
        self.kept += batch.sent
        self.offset = batch.last
        if fault == "after":
            raise TransportError("send-failed")

    async def close(self):
        """Do nothing: no resource is held."""

    def values(self, channel=Channel.RELEASED):
        """Return the values committed to a channel."""
        return [record.value for sent_to, record in self.kept if sent_to is channel]


@dataclass
class ShelfTransaction:
    """The records of one batch."""

    most: int
    sent: list = field(default_factory=list)
    last: int = 0

    async def send(self, channel, record):
        """Add a record, unless it is too large."""
        if len(record.value) > self.most:
            raise RefusedError("too-large")
        self.sent.append((channel, record))

    async def advance(self, position):
        """Set the offset."""
        self.last = position.offset


@dataclass
class Listening:
    """A running listener."""

    transport: MllpTransport
    pool: Inline
    stop: asyncio.Event
    running: asyncio.Task

    async def connect(self, **options):
        """Return the reader and writer of a third-party client."""
        host, port = "127.0.0.1", self.transport.port
        return await open_hl7_connection(host, port, limit=LIMIT, encoding="latin-1", **options)


@asynccontextmanager
async def served(transport, *, closed=False):
    """Run a transport while the block runs; yield its pool, its stop event and its task.

    With ``closed``, nothing is processed until the gate opens.
    """
    pool, stop = Inline(), asyncio.Event()
    if not closed:
        pool.gate.set()
    audit, names = Audit("d1"), Provenance.under("s1", bytes(32), "d1", lasting=False)
    runner = Runner(
        transport, pool, SEALER, audit, provenance=names, retry_seconds=0.01, drain_seconds=2
    )
    running = asyncio.create_task(runner.run(stop))
    while transport.lacking() and not running.done():  # noqa: ASYNC110 - nothing to await
        await asyncio.sleep(0.001)
    try:
        yield pool, stop, running
    finally:
        stop.set()
        pool.gate.set()
        await running


@asynccontextmanager
async def listening(outlet, workers=None, *, closed=False, **mllp):
    """Listen while the block runs; with ``closed``, nothing is processed until the gate opens."""
    transport = MllpTransport(Mllp(port=0, **mllp), workers or Workers(), outlet)
    async with served(transport, closed=closed) as parts:
        yield Listening(transport, *parts)


async def exchange(streams, *messages):
    """Send messages, each after the previous answer; return MSA-1 and MSA-2 of each answer."""
    reader, writer = streams
    told = []
    for message in messages:
        writer.writeblock(message)
        told.append(await answer(reader))
    return told


async def answer(reader):
    """Return MSA-1 and MSA-2 of the next answer."""
    found = await asyncio.wait_for(reader.readmessage(), 5)
    return str(found["MSA.1"]), str(found["MSA.2"])


async def eventually(condition):
    """Wait until the condition holds."""
    async with asyncio.timeout(5):
        while not condition():  # noqa: ASYNC110 - any condition
            await asyncio.sleep(0.005)
