"""The chain of audit records over a transactional transport, through kills and failed commits."""

from __future__ import annotations

import asyncio
from itertools import count

import pytest

from adapter.audit import Audit
from adapter.runtime.runner import Runner
from adapter.sealing.chain import Signer
from adapter.sealing.quarantine import Sealer
from adapter.sealing.verification import Place, Verifier
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.transports.protocol import TransportError
from adapter.types import Hold, Position, Processed, Record, Release

SIGNER = Signer.of("a1", bytes(range(32)))
SEALER = Sealer("q1", {"q1": bytes(32)})


class Inline:
    """A pool without processes that holds every third record."""

    restarts = 0

    async def run(self, batch, _notes=None):
        """Return the outcomes of a batch immediately."""
        return [
            Processed(Hold("leak", "pattern") if r.value == b"0" else Release(r.value), 0.1)
            for r in batch
        ]


def filled(partitions=2, records=7):
    """Return a broker with records in each partition."""
    broker = Broker(partitions)
    for number in range(partitions):
        for n in range(records):
            broker.append("in", Record(b"%d" % (n % 3), Position("", 0, 0)), number)
    return broker


def run(broker):
    """Run to the end of the existing records."""
    transport = MemoryTransport(broker, batch_records=2, signer=SIGNER)
    runner = Runner(transport, Inline(), SEALER, Audit("d"), retry_seconds=0.001)
    asyncio.run(asyncio.wait_for(runner.run(asyncio.Event()), 20))


def verified(broker):
    """Return the problems, and the number of records in each chain."""
    verifier = Verifier({"a1": SIGNER.public})
    for number, partition in enumerate(broker.log("audit")):
        for record in partition:
            verifier.add(Place(str(number), record.position.offset), record.value)
    chains = verifier.finish()
    return [str(problem) for problem in verifier.problems], [c.head.number for c in chains]


def test_each_lane_has_a_chain():
    """Each lane has one chain, which a later run continues."""
    broker = filled()
    run(broker)
    for number in (0, 1, 1):
        broker.append("in", Record(b"1", Position("", 0, 0)), number)
    run(broker)
    assert ([], [8, 9]) == verified(broker)


def test_a_kill_at_any_step_does_not_break_the_chain():
    """After a kill at any step, the chain is valid and has each record once."""
    undisturbed, steps = filled(1), count()
    undisturbed.step = lambda _name: next(steps)
    run(undisturbed)
    for at in range(next(steps)):
        broker, ticks = filled(1), count()

        def step(_name, at=at, ticks=ticks):
            if next(ticks) == at:
                raise KeyboardInterrupt

        broker.step = step
        with pytest.raises(KeyboardInterrupt):
            run(broker)
        broker.step = lambda _name: None
        run(broker)
        assert ([], [7]) == verified(broker), at


@pytest.mark.parametrize("failing", ["before-commit", "after-commit", "send-audit", "advance"])
def test_a_transaction_that_fails_does_not_break_the_chain(failing):
    """After a failed transaction, whatever its outcome, the chain continues at its last commit."""
    broker, left = filled(), count()

    def step(name):
        if name == failing and next(left) in {0, 3, 4}:
            raise TransportError("send-failed")

    broker.step = step
    run(broker)
    assert ([], [7, 7]) == verified(broker)


def test_without_a_key_records_are_as_they_were():
    """Without a signing key, audit records have no chain fields."""
    broker = filled(1, 1)
    transport = MemoryTransport(broker)
    runner = Runner(transport, Inline(), SEALER, Audit("d"))
    asyncio.run(asyncio.wait_for(runner.run(asyncio.Event()), 20))
    (record,) = broker.records("audit")
    assert b'"chain"' not in record.value
