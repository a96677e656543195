"""What every transport must do, whatever it is made of: the rules of ``transports/protocol.py``."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass, field

import httpx
import pytest

from adapter.codecs.hl7v2.framing import split_hl7v2
from adapter.config.files import Files
from adapter.config.listeners.http import Http
from adapter.config.listeners.mllp import Mllp
from adapter.config.settings import Workers, load_settings
from adapter.errors import RuleError
from adapter.transports.backend import Findings
from adapter.transports.files.transport import FilesTransport
from adapter.transports.http.layout import apart
from adapter.transports.http.transport import HttpTransport
from adapter.transports.listener.to_files import FilesOutlet
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.transports.mllp.blocks import blocks
from adapter.transports.mllp.framing import Framer, framed
from adapter.transports.mllp.transport import MllpTransport
from adapter.transports.protocol import Channel
from adapter.transports.registry import TRANSPORTS, backend
from adapter.types import Position, Record

MESSAGES = [b"MSH|^~\\&|%04d\r" % n for n in range(25)]


@dataclass
class Case:
    """A transport over MESSAGES, and what a reader of its output sees."""

    make: object = field(repr=False)
    seen: object = field(repr=False)


def memory(_folder):
    """An in-process broker with one partition."""
    broker = Broker()
    for value in MESSAGES:
        broker.append("in", Record(value, Position("", 0, 0), key=b"k"))
    return Case(
        lambda: MemoryTransport(broker, batch_records=4),
        lambda: [record.value for record in broker.records("released")],
    )


def files(folder):
    """One file of all messages."""
    (folder / "in").mkdir()
    (folder / "in/x.hl7").write_bytes(b"".join(MESSAGES))
    settings = Files(inputs=(str(folder / "in"),), output=str(folder / "out"))

    def seen():
        result = folder / "out/x.hl7"
        return [f.value for f in split_hl7v2(result.read_bytes())] if result.exists() else []

    return Case(
        lambda: FilesTransport(
            settings, Workers(batch_records=4, processes=1), lambda _name: split_hl7v2
        ),
        seen,
    )


class Sent(MllpTransport):
    """A listener with a sender, which stops it once all of MESSAGES are answered."""

    async def listen(self):
        """Let the sender in, and wait until it has filled its window."""
        await super().listen()
        self.sender = asyncio.create_task(self.send())
        while not self.lag()["mllp"]:  # noqa: ASYNC110 - nobody tells when a message waits
            await asyncio.sleep(0.001)

    async def send(self):
        """Send everything, and read the answers."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(b"".join(map(framed, MESSAGES)))
        framer, answered = Framer(1 << 20), 0
        while answered < len(MESSAGES) and (data := await reader.read(1 << 16)):
            answered += len(framer.feed(data))
        self.drain()
        writer.close()

    async def stop(self):
        """Stop the sender too."""
        await super().stop()
        self.sender.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await self.sender


def mllp(folder):
    """One connection that sends all messages again to every listener that did not answer them."""
    output = Files(output=str(folder / "out"))

    def seen():
        found = sorted((folder / "out").glob("mllp-*.hl7"))
        return [f.value for each in found for f in split_hl7v2(each.read_bytes())]

    def make():
        outlet = FilesOutlet(output, folder / "q", "mllp", blocks)
        return Sent(Mllp(port=0), Workers(batch_records=4), outlet)

    return Case(make, seen)


class Posted(HttpTransport):
    """A listener with a request for each of MESSAGES, which stops it once all are answered."""

    async def listen(self):
        """Let the senders in, one behind the other."""
        await super().listen()
        self.asking = []
        for number, message in enumerate(MESSAGES, start=1):
            self.asking.append(asyncio.create_task(self.post(message)))
            while self.lag()["http"] < number:  # noqa: ASYNC110 - nobody tells when a message waits
                await asyncio.sleep(0.001)
        self.ending = asyncio.create_task(self.end())

    async def post(self, message):
        """Post a message; at the end of the listener it is refused."""
        async with httpx.AsyncClient(trust_env=False) as client:
            headers = {"content-type": "text/plain"}
            await client.post(f"http://127.0.0.1:{self.port}/", content=message, headers=headers)

    async def end(self):
        """Stop listening when everything is answered."""
        await asyncio.gather(*self.asking)
        self.drain()

    async def stop(self):
        """Stop the senders too."""
        await super().stop()
        self.ending.cancel()
        for each in self.asking:
            each.cancel()
        await asyncio.gather(*self.asking, self.ending, return_exceptions=True)


def http(folder):
    """One connection for each message."""
    output = Files(output=str(folder / "out"))

    def seen():
        return [found.read_bytes() for found in sorted((folder / "out").glob("http-*"))]

    def make():
        outlet = FilesOutlet(output, folder / "q", "http", apart)
        return Posted(Http(port=0), Workers(batch_records=4), outlet)

    return Case(make, seen)


CASES = {"memory": memory, "files": files, "mllp": mllp, "http": http}
"""The kafka transport's own suite needs a broker: tests/integration."""


@pytest.fixture(params=CASES)
def case(request, tmp_path):
    """Each transport in turn."""
    return CASES[request.param](tmp_path)


async def settle(lane, batch):
    """Release a batch as it is."""
    async with lane.transaction() as transaction:
        for record in batch:
            await transaction.send(Channel.RELEASED, record)
        await transaction.advance(batch[-1].position)


async def through(case, on_batch):
    """Open the transport and its only lane; ``on_batch`` says whether to go on."""
    transport = case.make()
    await transport.start()
    values = []
    try:
        async for lane in transport.lanes():
            try:
                async for batch in lane.batches():
                    values += [record.value for record in batch]
                    if not await on_batch(transport, lane, batch):
                        break
            finally:
                await lane.close()
    finally:
        await transport.stop()
    return values


def test_records_come_in_order_within_the_bounds(case):
    """All records of a lane come, in order, in batches no longer than allowed."""
    lengths = []

    async def on_batch(_transport, lane, batch):
        lengths.append(len(batch))
        await settle(lane, batch)
        return True

    assert MESSAGES == asyncio.run(through(case, on_batch))
    assert max(lengths) <= 4


def test_what_is_settled_can_be_read(case):
    """After its transactions a reader sees every released record once, in order."""

    async def on_batch(_transport, lane, batch):
        await settle(lane, batch)
        return True

    asyncio.run(through(case, on_batch))
    assert MESSAGES == case.seen()


class _BrokenError(Exception):
    pass


async def broken(lane, batch):
    """Send, and fail before the end."""
    async with lane.transaction() as transaction:
        await transaction.send(Channel.RELEASED, batch[0])
        raise _BrokenError


def test_a_transaction_that_fails_shows_nothing(case):
    """What was sent in a block that an exception leaves is not seen."""

    async def on_batch(_transport, lane, batch):
        with pytest.raises(_BrokenError):
            await broken(lane, batch)
        return False

    asyncio.run(through(case, on_batch))
    assert [] == case.seen()


def test_after_a_failure_the_same_records_come_again(case):
    """A new start over the same input begins after the last settled record, and completes it."""

    async def give_up(_transport, _lane, _batch):
        return False

    async def on_batch(_transport, lane, batch):
        await settle(lane, batch)
        return True

    asyncio.run(through(case, give_up))
    asyncio.run(through(case, on_batch))
    assert MESSAGES == case.seen()


def test_draining_ends_the_lanes(case):
    """After drain a lane gives out no further batch."""

    async def on_batch(transport, lane, batch):
        await settle(lane, batch)
        transport.drain()
        return True

    assert MESSAGES[:4] == asyncio.run(through(case, on_batch))


def test_public_names_are_plain(case):
    """The name of a topic that logs may show is made of safe characters."""

    async def on_batch(transport, lane, batch):
        names = transport.public(batch[0].position.topic), lane.name
        assert all(name.replace("-", "").isalnum() for name in names)
        return False

    asyncio.run(through(case, on_batch))


def test_every_transport_is_tested_here_or_with_a_broker():
    """A transport is tested by being listed."""
    assert TRANSPORTS.keys() == {*CASES, "kafka"}


@pytest.fixture(params=TRANSPORTS)
def named(request, tmp_path):
    """Settings that name each transport, and say nothing else."""
    return load_settings(None, transport=request.param, files={"output": str(tmp_path)})


def made(settings, *, sealed):
    """The transport of some settings, or the setting that it lacks."""
    try:
        return backend(settings).transport(settings, lambda _name: split_hl7v2, sealed=sealed)
    except RuleError as error:
        return error.place


def test_a_transport_is_made_or_names_what_it_lacks(named):
    """Without inputs and keys it starts as the protocol says, or refuses by a setting's name."""
    for sealed in (False, True):
        found = made(named, sealed=sealed)
        assert isinstance(found, str) or callable(found.lanes)


def test_what_is_remembered_has_a_place_or_no_memory(named):
    """Where there is a memory, one can say in words where it is."""
    if backend(named).remembers(named, sealed=True):
        assert backend(named).memory_place(named).startswith(("in ", "for "))


def test_a_quarantine_that_is_not_named_is_refused(named):
    """Held records are looked for where the settings say, else the setting is named."""
    if backend(named).broker:
        return

    async def look():
        return [name async for name, _ in backend(named).envelopes(named)]

    with pytest.raises(RuleError):
        asyncio.run(look())
    with pytest.raises(RuleError):
        asyncio.run(backend(named).quarantine(named))
    looked = backend(named).preflight(named, state=False, create=False)
    assert Findings() == asyncio.run(looked)


def test_a_transport_that_is_none_is_refused():
    """The setting is named, with what it can be."""
    with pytest.raises(
        RuleError, match="transport: must be one of kafka, files, memory, mllp, http"
    ):
        backend(load_settings(None, transport="carrier pigeon"))
