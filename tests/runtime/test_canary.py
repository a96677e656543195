"""No message text appears in logs, metrics, audit, clear metadata or names, whatever goes wrong."""

from __future__ import annotations

import asyncio
import io
import re

import pytest

from adapter.audit import Audit, configure_logs
from adapter.errors import CODES, OUTAGES
from adapter.runtime.runner import Runner
from adapter.runtime.workers import Pool
from adapter.sealing.quarantine import Folder, Sealer
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.transports.protocol import Channel, RefusedError, TransportError
from adapter.types import Hold, Position, Processed, Record, Release

CANARY = "Quillfeather"
ALL = [(stage, code) for stage, codes in sorted(CODES.items()) for code in sorted(codes)]
HOLDS = [each for each in ALL if each not in OUTAGES]


@pytest.fixture
def said():
    """Yield a stream of the log at debug level."""
    stream = io.StringIO()
    configure_logs("debug", stream)
    yield stream
    configure_logs("warning")


def record(number=0):
    """Return a record that has the canary in its value, key and headers."""
    text = CANARY.encode()
    return Record(b"%d " % number + text, Position("in", 0, number), text, ((CANARY, text),), 5)


class Fails:
    """A pool that holds each record with a different stage and code."""

    restarts = 0

    def alive(self):
        """Return 1: one worker is always alive."""
        return 1

    async def run(self, batch, _notes=None):
        """Hold each record of a batch."""
        return [Processed(Hold(*HOLDS[r.position.offset % len(HOLDS)]), 0.1) for r in batch]


def run(broker, pool=None):
    """Run once; return everything visible to people who may not see messages."""
    sealer = Sealer("q1", {"q1": bytes(32)})
    transport = MemoryTransport(broker, batch_records=3)
    runner = Runner(transport, pool or Fails(), sealer, Audit("d"), retry_seconds=0)
    asyncio.run(asyncio.wait_for(runner.run(asyncio.Event()), 30))
    runner.measure()
    return b"".join(
        (
            runner.metrics.exposition(),
            *(r.value for channel in ("audit", "held") for r in broker.records(channel)),
            *(r.key or b"" for channel in ("audit", "held") for r in broker.records(channel)),
            repr(broker).encode(),
        )
    )


def broker_of(number):
    """Return a broker with canaries in its input."""
    broker = Broker()
    for n in range(number):
        broker.append("in", record(n))
    return broker


def test_every_hold_is_told_without_text(said):
    """Holds with every stage and code leave no message text in any visible place."""
    broker = broker_of(len(HOLDS))
    seen = run(broker)
    assert len(HOLDS) == len(broker.records("held"))
    assert (CANARY.encode() in seen, CANARY in said.getvalue()) == (False, False)


class Recovers(Fails):
    """A pool whose first batch fails with an outage of a service."""

    def __init__(self, outage):
        self.outages = [outage]

    async def run(self, batch, notes=None):
        """Hold every record of the first batch for the outage, then as `Fails` does."""
        if self.outages:
            missing = self.outages.pop()
            return [Processed(Hold(*missing), 0.1) for _ in batch]
        return await super().run(batch, notes)


@pytest.mark.parametrize("outage", sorted(OUTAGES))
def test_every_outage_is_told_without_text(said, outage):
    """An outage is logged without text and holds nothing: the lane rewinds and retries."""
    seen = run(broker := broker_of(3), Recovers(outage))
    assert "unreachable" in said.getvalue()
    assert 3 == len(broker.records("held"))
    assert (CANARY.encode() in seen, CANARY in said.getvalue()) == (False, False)


@pytest.mark.parametrize("error", [TransportError("send-failed"), RefusedError("too-large")])
def test_failed_transactions_are_told_without_text(said, error):
    """A transaction that fails at each kind of step leaves no message text in any visible place."""
    broker = broker_of(9)
    failed = set()

    def step(name):
        if name not in failed and name.startswith(("send", "begin", "advance", "before")):
            failed.add(name)
            raise error

    broker.step = step
    seen = run(broker)
    assert failed
    assert (CANARY.encode() in seen, CANARY in said.getvalue()) == (False, False)


def make_raising():
    """Return a process function whose exceptions quote the message."""

    def process(record):
        raise ValueError(record.value.decode())

    return process


def test_an_exception_that_quotes_the_message_is_not_told(said, capfd):
    """An exception's text is repeated neither in logs nor on the workers' standard error."""

    async def go():
        async with Pool(make_raising, 1) as pool:
            return await pool.run([record()])

    (processed,) = asyncio.run(asyncio.wait_for(go(), 30))
    out, err = capfd.readouterr()
    assert Hold("bug", "unexpected") == processed.outcome
    assert CANARY not in out + err + said.getvalue()


def test_a_clean_kind_is_not_believed():
    """The audit contains a message's kind only if a standard defines it."""
    release = Release(b"", kind=f"{CANARY}^{CANARY}", counts=(("DATE/field", 1),))
    entry = Audit("d").entry(Position("in", 0, 0), Processed(release, 1.0))
    assert CANARY.encode() not in entry


def test_folder_names_say_nothing(tmp_path):
    """File names in a quarantine folder consist of public coordinates and a time."""
    broker = broker_of(3)
    run(broker)
    folder = Folder(tmp_path)
    for envelope in broker.records(Channel.HELD):
        folder.write(envelope.value)
    names = [name.rpartition("-") for name in folder.names()[:2]]
    assert ["in-0-000000000000", "in-0-000000000001"] == [place for place, *_ in names]
    assert all(re.fullmatch(r"\d+\.held", time) for *_, time in names)
