"""The runner over the in-process broker: exactly once after a crash at any step, in order."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from itertools import count
from multiprocessing.connection import Connection

import pytest

from adapter.audit import Audit, configure_logs
from adapter.errors import OUTAGES
from adapter.runtime.batches import Budget
from adapter.runtime.runner import Runner
from adapter.runtime.time_limit import SLICE, allowed
from adapter.runtime.workers import Pool, WorkerStartError
from adapter.sealing.quarantine import Sealer
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.transports.protocol import TransportError
from adapter.types import Hold, Position, Processed, Record, Release

SEALER = Sealer("q1", {"q1": bytes(32)})


class CrashError(Exception):
    """The simulated death of the process."""


def stand_in(record):
    """Release the reversed value; hold "bad" values."""
    if record.value is None:
        return Release(None, key=b"k" + (record.key or b""))
    if record.value.startswith(b"bad"):
        return Hold("decode", "not-hl7v2")
    return Release(record.value[::-1], key=record.key, counts=(("PATIENT/phrases", 1),))


class Inline:
    """A pool without processes."""

    restarts = 0

    def __init__(self, process=stand_in):
        self.process = process

    async def run(self, batch, _notes=None):
        """Return the outcomes of a batch immediately."""
        return [Processed(self.process(record), 0.1) for record in batch]


def broker_with(values, partitions=2):
    """Return a broker with ``values`` in topic "in", keyed by their number modulo 3."""
    broker = Broker(partitions)
    for number, value in enumerate(values):
        broker.append("in", Record(value, Position("", 0, 0), key=b"%d" % (number % 3)))
    return broker


def runner_over(broker, pool=None, **options):
    """Return a runner with small batches."""
    transport = MemoryTransport(broker, batch_records=2)
    return Runner(transport, pool or Inline(), SEALER, Audit("d1"), retry_seconds=0, **options)


def run(runner):
    """Run to the end of the input."""
    asyncio.run(asyncio.wait_for(runner.run(asyncio.Event()), 30))


VALUES = [b"m%02d" % n if n % 4 else b"bad%02d" % n for n in range(14)]


def settled(broker):
    """Return the released values by key, and the opened held values."""
    released: dict = {}
    for record in broker.records("released"):
        released.setdefault(record.key, []).append(record.value)
    held = [SEALER.open(record.value)[1] for record in broker.records("held")]
    return released, sorted(record.value for record in held)


def test_every_record_is_released_or_held():
    """Each input record has one output, one audit record and a committed offset."""
    broker = broker_with(VALUES)
    run(runner_over(broker))
    released, held = settled(broker)
    assert sorted(v[::-1] for values in released.values() for v in values) == sorted(
        v for v in VALUES if not v.startswith(b"bad")
    )
    assert [v for v in VALUES if v.startswith(b"bad")] == held
    assert len(VALUES) == len(broker.records("audit")) == sum(broker.offsets.values())


@pytest.mark.parametrize("outage", sorted(OUTAGES))
def test_an_outage_holds_nothing(outage):
    """During a service's outage the lane waits; afterwards the output is as without the outage."""
    undisturbed, broker = broker_with(VALUES), broker_with(VALUES)
    run(runner_over(undisturbed))
    down = count()

    def process(record):
        if next(down) < 7:
            return Hold(*outage)
        return stand_in(record)

    run(runner_over(broker, Inline(process)))
    assert settled(undisturbed) == settled(broker)
    assert next(down) > len(VALUES)


def steps_of_a_run():
    """Return the number of steps of an undisturbed run."""
    steps = count()
    broker = broker_with(VALUES)
    broker.step = lambda _name: next(steps)
    run(runner_over(broker))
    return next(steps)


def test_exactly_once_after_a_crash_at_every_step():
    """After a crash at any step, a second run over the same broker completes the output."""
    undisturbed = broker_with(VALUES)
    run(runner_over(undisturbed))
    for at in range(steps_of_a_run()):
        broker = broker_with(VALUES)
        steps = count()

        def step(_name, at=at, steps=steps):
            if next(steps) == at:
                raise CrashError

        broker.step = step
        with pytest.raises(CrashError):
            run(runner_over(broker))
        run(runner_over(broker))
        assert settled(undisturbed) == settled(broker), at


def test_exactly_once_after_a_failed_transaction_at_every_step():
    """After a failed transaction at any step, the lane rewinds and each record is settled once."""
    undisturbed = broker_with(VALUES)
    run(runner_over(undisturbed))
    names = {"begin", "send-released", "send-held", "send-audit", "advance", "before-commit"}
    for at in range(steps_of_a_run()):
        broker = broker_with(VALUES)
        steps = count()

        def step(name, at=at, steps=steps):
            if next(steps) == at and name in names:
                raise TransportError("send-failed")

        broker.step = step
        run(runner_over(broker))
        assert settled(undisturbed) == settled(broker), at


def test_a_final_failure_ends_the_run_and_settles_nothing_twice():
    """A failure that is final for the run ends it; the next run settles each record once."""
    undisturbed, broker = broker_with(VALUES), broker_with(VALUES)
    run(runner_over(undisturbed))
    fired = []

    def step(name):
        if name == "before-commit" and not fired:
            fired.append(name)
            raise TransportError("forbidden")

    broker.step = step
    with pytest.raises(TransportError):
        run(runner_over(broker, final=frozenset({"forbidden"})))
    run(runner_over(broker))
    assert settled(undisturbed) == settled(broker)


def test_a_fenced_producer_commits_nothing():
    """A producer that was fenced before its commit fails, rewinds, and settles each record once."""
    broker = broker_with(VALUES, partitions=1)
    other = runner_over(broker)
    fired = []

    def step(name):
        if name == "before-commit" and not fired:
            fired.append(name)
            broker.fence("in-0")

    broker.step = step
    run(other)
    undisturbed = broker_with(VALUES, partitions=1)
    run(runner_over(undisturbed))
    assert settled(undisturbed) == settled(broker)
    assert 1 == other.metrics.failures.labels("fenced")._value.get()


def test_order_per_key_is_kept():
    """Released records of one key are in input order."""
    broker = broker_with([b"m%03d" % n for n in range(90)])
    run(runner_over(broker))
    released, _ = settled(broker)
    assert all(values == sorted(values, key=lambda v: v[::-1]) for values in released.values())


def test_a_release_too_large_is_held():
    """A released message that is too large for the transport is held, sealed."""
    broker = broker_with([b"x" * 9000, b"small"], partitions=1)
    broker.max_bytes = 5000
    run(runner_over(broker))
    held = [json.loads(r.value) for r in broker.records("held")]
    assert [("transport", "too-large", True)] == [
        (h["stage"], h["code"], isinstance(h["payload"], str)) for h in held
    ]
    assert [b"llams"] == [r.value for r in broker.records("released")]


class Deposits:
    """An escrow whose deposits have a given length."""

    def __init__(self, length):
        self.length = length

    def seal(self, record, _release, _topic):
        """Return a deposit that contains the record's offset."""
        return b"%d" % record.position.offset * self.length


@pytest.mark.parametrize("length", [1, 9000])
def test_the_escrow_has_what_was_released_and_nothing_else(length):
    """A message whose release or deposit is too large is held, and has no deposit."""
    values = [b"a", b"x" * 9000, b"b"]
    broker = broker_with(values, partitions=1)
    broker.max_bytes = 5000
    runner = runner_over(broker)
    runner.escrow, runner.retry_seconds = Deposits(length), 0
    run(runner)
    released = [r.value for r in broker.records("released")]
    held = [
        (h["offset"], h["code"]) for h in map(json.loads, map(value_of, broker.records("held")))
    ]
    assert ([b"a", b"b"] if length == 1 else []) == released
    assert ([(1, "too-large")] if length == 1 else [(n, "too-large") for n in range(3)]) == held
    assert ([b"0", b"2"] if length == 1 else []) == [r.value for r in broker.records("escrow")]
    assert 3 == len(broker.records("audit"))


def value_of(record):
    """Return a record's value."""
    return record.value


def test_what_even_the_quarantine_refuses_is_accounted_for():
    """A record that is too large even for the quarantine is held without payload."""
    broker = broker_with([os.urandom(9000)], partitions=1)
    broker.max_bytes = 5000
    run(runner_over(broker))
    held = [json.loads(r.value) for r in broker.records("held")]
    assert [(0, False)] == [(h["offset"], h["payload"]) for h in held]


def test_lanes_that_were_given_up_have_no_gauges():
    """Gauges of lanes that this process no longer has are removed."""
    runner = runner_over(broker_with(VALUES))
    runner.pool.alive = lambda: 1
    for gauge in (runner.metrics.lag, runner.metrics.unsettled):
        gauge.labels("elsewhere").set(9000)
    runner.measure()
    assert b"elsewhere" not in runner.metrics.exposition()


def test_a_stop_drains():
    """After a stop, a runner that follows its input ends, with everything processed committed."""
    broker = broker_with(VALUES, partitions=1)
    runner = runner_over(broker)
    runner.transport.follow = True

    async def go():
        stop = asyncio.Event()
        task = asyncio.create_task(runner.run(stop))
        while broker.offsets.get(("in", 0), 0) < 4:  # noqa: ASYNC110 - nothing to await
            await asyncio.sleep(0.001)
        stop.set()
        await asyncio.wait_for(task, 5)

    asyncio.run(go())
    done = broker.offsets["in", 0]
    assert done == len(broker.records("audit")) >= 4


def test_the_budget_bounds_records_and_bytes():
    """A batch waits until it fits in the budget; a batch over the whole budget runs alone."""

    async def go():
        budget = Budget(records=4, bytes=100)
        batch = [Record(b"x" * 40, Position("t", 0, n)) for n in range(2)]
        await budget.take(batch)
        waiting = asyncio.create_task(budget.take(batch))
        await asyncio.sleep(0.01)
        early = waiting.done()
        budget.give(batch)
        await asyncio.wait_for(waiting, 1)
        budget.give(batch)
        await asyncio.wait_for(budget.take([Record(b"x" * 999, Position("t", 0, 9))]), 1)
        return early, budget.taken_bytes

    assert (False, 999) == asyncio.run(go())


# ---- worker processes ----


def half(pipe, message):
    """Send half of a message, then kill this process."""
    os.write(pipe.fileno(), bytes(message)[: len(message) // 2])
    os.kill(os.getpid(), signal.SIGKILL)


def make_troubled():
    """Return a process function that misbehaves as the value says."""

    def process(record):
        match record.value:
            case b"die":
                os.kill(os.getpid(), signal.SIGKILL)
            case b"sleep":
                time.sleep(60)
            case b"die answering":
                Connection._send = half
            case b"raise":
                raise ValueError("Jane Roe")
            case b"block":
                signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
                while True:
                    pass
        return stand_in(record)

    return process


def make_nothing():
    """Fail as a factory."""
    raise ValueError("Jane Roe")


def outcomes_of(values, seconds=1.0):
    """Return the outcomes of ``values`` from two workers, and the number of restarts."""

    async def go():
        batch = [Record(value, Position("t", 0, n)) for n, value in enumerate(values)]
        async with Pool(make_troubled, 2, seconds) as pool:
            return [p.outcome for p in await pool.run(batch)], pool.restarts

    return asyncio.run(asyncio.wait_for(go(), 60))


def test_outcomes_come_in_order():
    """A batch's outcomes are in record order, however many workers share it."""
    values = [b"m%03d" % n for n in range(300)]
    outcomes, restarts = outcomes_of(values)
    assert ([value[::-1] for value in values], 0) == ([o.value for o in outcomes], restarts)


def test_a_record_that_kills_its_worker_is_held():
    """A record that kills its worker twice is held, and the pool processes all others."""
    outcomes, restarts = outcomes_of([b"a1", b"die", b"b2", b"raise", b"c3"])
    unexpected = Hold("bug", "unexpected")
    assert [unexpected, unexpected] == [o for o in outcomes if isinstance(o, Hold)]
    assert ([b"1a", b"2b", b"3c"], 2) == (
        [o.value for o in outcomes if isinstance(o, Release)],
        restarts,
    )


def test_a_worker_that_dies_while_it_answers_is_replaced():
    """A worker that dies while it sends its answer is replaced; the record it was at is held."""
    outcomes, restarts = outcomes_of([b"a1", b"die answering", b"b2"])
    found = [o if isinstance(o, Hold) else o.value for o in outcomes]
    assert ([b"1a", Hold("bug", "unexpected"), b"2b"], 2) == (found, restarts)


def test_the_death_of_a_worker_is_logged(capfd):
    """The log has a worker's exit status and its replacement, and nothing of the record."""
    configure_logs("info")
    outcomes_of([b"die"])
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    configure_logs("warning")
    assert ["worker died", "worker replaced"] * 2 == [line["event"] for line in lines]
    assert ("died", -signal.SIGKILL) == (lines[0]["code"], lines[0]["status"])


def test_a_worker_that_was_killed_while_idle_is_known():
    """A worker killed while idle is no longer counted as alive, and is replaced when used."""

    async def go():
        async with Pool(make_troubled, 2) as pool:
            before = pool.alive()
            os.kill(pool._workers[0]._pid, signal.SIGKILL)
            for _ in range(500):
                if pool.alive() < before:
                    break
                await asyncio.sleep(0.01)
            killed = pool.alive()
            await pool.run([Record(b"%d" % n, Position("t", 0, n)) for n in range(4)])
            return before, killed, pool.alive()

    assert (2, 1, 2) == asyncio.run(asyncio.wait_for(go(), 60))


def test_a_pool_ends_although_a_cancelled_batch_is_at_a_worker():
    """Draining is over before the time that a long message may take."""

    async def go():
        async with Pool(make_troubled, 1, 30.0) as pool:
            batch = asyncio.create_task(pool.run([Record(b"sleep", Position("t", 0, 0))]))
            await asyncio.sleep(0.5)
            batch.cancel()
            since = time.monotonic()
        return time.monotonic() - since

    assert 10 > asyncio.run(asyncio.wait_for(go(), 60))


def test_a_message_that_takes_too_long_is_held():
    """The alarm stops a sleeping message; CPU time stops one that blocks the alarm."""
    outcomes, restarts = outcomes_of([b"a1", b"sleep", b"b2", b"block", b"c3"], seconds=0.3)
    timeout = Hold("tag", "timeout")
    assert [b"1a", timeout, b"2b", timeout, b"3c"] == [
        o if isinstance(o, Hold) else o.value for o in outcomes
    ]
    assert 1 == restarts


def test_a_factory_that_fails_fails_the_start():
    """If the factory fails, the start fails with only the exception's type."""

    async def go():
        async with Pool(make_nothing, 1):
            pass

    with pytest.raises(WorkerStartError, match=r"^ValueError$"):
        asyncio.run(asyncio.wait_for(go(), 30))


def test_longer_records_have_more_time():
    """The time limit holds for an empty record, and each 256 KiB adds as much again."""
    small, large = (Record(bytes(size), Position("t", 0, 0)) for size in (0, 4 * SLICE))
    assert 2.0 == allowed(small, 2.0)
    assert 10.0 == allowed(large, 2.0)
