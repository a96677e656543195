"""The kafka transport against a real Apache Kafka."""

from __future__ import annotations

import asyncio
import importlib
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from adapter.audit import Audit
from adapter.config.settings import load_settings
from adapter.runtime.batches import Budget
from adapter.runtime.quarantine.retry import RetryTransport
from adapter.runtime.runner import Runner
from adapter.runtime.workers import Pool
from adapter.sealing.quarantine import Sealer
from adapter.transports.kafka.transport import KafkaTransport
from adapter.types import Hold, Processed, Release

sys.path.insert(0, str(Path(__file__).parent))
cluster = importlib.import_module("cluster")

pytestmark = pytest.mark.kafka
SEALER = Sealer("q1", {"q1": bytes(32)})


def stand_in(record, seconds=0.0):
    """Turns values round; "bad" ones are held."""
    if seconds:
        time.sleep(seconds)
    if record.value is None:
        return Release(None, key=b"K" + (record.key or b""))
    if record.value.startswith(b"bad"):
        return Hold("decode", "not-hl7v2")
    key = None if record.key is None else b"K" + record.key
    return Release(record.value[::-1], key=key, headers=(("h", b"clean"),))


class Inline:
    """A pool without processes."""

    restarts = 0

    def __init__(self, process=stand_in):
        self.process = process

    def alive(self):
        """One worker is always there."""
        return 1

    async def run(self, batch, _notes=None):
        """Work at once."""
        return [Processed(self.process(record), 0.1) for record in batch]


def settings_for(address, app, **kafka):
    """Settings of one adapter for the topic named after the app."""
    values = {"bootstrap_servers": address, "app": app, "topics": (app,), "audit": f"{app}.audit"}
    return load_settings(
        kafka=values | kafka, workers={"batch_records": 50, "drain_seconds": 5, "processes": 1}
    )


def runner_for(settings, pool):
    """A runner over Kafka."""
    transport = KafkaTransport(settings.kafka, settings.workers)
    return Runner(transport, pool, SEALER, Audit("d1"), budget=Budget(4000, 1 << 26))


async def topics(address, app):
    """The app's four topics."""
    await cluster.make_topics(
        address, app, f"{app}.deid", f"{app}.quarantine", f"{app}.audit", partitions=3
    )


async def run_until(runner, done, seconds=60):
    """Run until ``done()`` comes true, then drain."""
    stop = asyncio.Event()
    task = asyncio.create_task(runner.run(stop))
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end and not task.done() and not await done():  # noqa: ASYNC110
            await asyncio.sleep(0.1)
    finally:
        stop.set()
        await asyncio.wait_for(task, 30)


def settled(address, app, number):
    """Whether the group has committed ``number`` records."""

    async def done():
        return await cluster.committed(address, app, app) >= number

    return done


def messages(number):
    """Keyed messages, every fifth one bad."""
    return [
        (b"%d" % (n % 7), (b"bad%05d" if n % 5 == 0 else b"m%05d") % n, [("mrn", b"secret")])
        for n in range(number)
    ]


def test_messages_go_through(bootstrap, app):
    """Every message is released or held, with clean keys and headers, in order per key."""

    async def go():
        await topics(bootstrap, app)
        await cluster.write(bootstrap, app, messages(300))
        settings = settings_for(bootstrap, app)
        await run_until(runner_for(settings, Inline()), settled(bootstrap, app, 300))
        return [
            await cluster.read_all(bootstrap, f"{app}.{kind}")
            for kind in ("deid", "quarantine", "audit")
        ]

    released, held, audit = asyncio.run(go())
    assert (240, 60, 300) == (len(released), len(held), len(audit))
    assert {(("h", b"clean"),)} == {r.headers for r in released}
    assert {(None, ())} == {(r.key, r.headers) for r in held}
    assert all(r.key.startswith(b"K") for r in released)
    for key in {r.key for r in released}:
        values = [r.value[::-1] for r in released if r.key == key]
        assert sorted(values) == values
    opened = [SEALER.open(r.value)[1] for r in held]
    assert {n for n in range(300) if n % 5 == 0} == {int(r.value[3:]) for r in opened}
    assert {(("mrn", b"secret"),)} == {r.headers for r in opened}


def test_tombstones_pass_with_their_new_key(bootstrap, app):
    """A record without value is released without value, under its surrogate key."""

    async def go():
        await topics(bootstrap, app)
        await cluster.write(bootstrap, app, [(b"7", None, ())])
        settings = settings_for(bootstrap, app)
        await run_until(runner_for(settings, Inline()), settled(bootstrap, app, 1))
        return await cluster.read_all(bootstrap, f"{app}.deid")

    assert [(b"K7", None)] == [(r.key, r.value) for r in asyncio.run(go())]


@pytest.mark.parametrize("where", ["client", "broker"])
def test_a_release_too_large_is_held(bootstrap, app, where):
    """What the client or the output topic refuses for its size is held; the rest goes on."""

    async def go():
        await cluster.make_topics(bootstrap, app, f"{app}.quarantine", f"{app}.audit")
        limit = {"max.message.bytes": "20000"} if where == "broker" else None
        await cluster.make_topics(bootstrap, f"{app}.deid", configs=limit)
        big = b"x" * 60_000 if where == "broker" else b"x" * 300_000
        sent = [(b"1", b"a", ()), (b"1", big, ()), (b"1", b"b", ())]
        await cluster.write(bootstrap, app, sent)
        bytes_ = 200_000 if where == "client" else 1_000_000
        settings = settings_for(bootstrap, app, max_message_bytes=bytes_)
        await run_until(runner_for(settings, Inline()), settled(bootstrap, app, 3))
        return (
            await cluster.read_all(bootstrap, f"{app}.deid"),
            await cluster.read_all(bootstrap, f"{app}.quarantine"),
        )

    released, held = asyncio.run(go())
    assert [b"a", b"b"] == [r.value for r in released]
    (only,) = [SEALER.open(r.value) for r in held]
    assert ("transport", "too-large") == (only[0].stage, only[0].code)


def make_slow():
    """A process function that takes two seconds a message."""
    return partial(stand_in, seconds=2.0)


def test_slow_work_does_not_cost_the_group(bootstrap, app):
    """Batches that take several session time-outs lose no lane: heartbeats never wait for work."""

    async def go():
        await topics(bootstrap, app)
        await cluster.write(bootstrap, app, messages(8))
        settings = settings_for(bootstrap, app, session_timeout_ms=6000)
        async with Pool(make_slow, 1, 10) as pool:
            runner = runner_for(settings, pool)
            await run_until(runner, settled(bootstrap, app, 8))
        return cluster.failures(runner), await cluster.read_all(bootstrap, f"{app}.audit")

    failures, audit = asyncio.run(go())
    assert (0, 8) == (failures, len(audit))


def test_lanes_move_between_adapters(bootstrap, app):
    """A second adapter joins and the first leaves amid the stream: each message comes once."""

    async def go():
        await topics(bootstrap, app)
        await cluster.write(bootstrap, app, messages(1800))
        settings = settings_for(bootstrap, app)

        async def slowly(batch, _notes=None):
            await asyncio.sleep(0.005 * len(batch))
            return await Inline().run(batch)

        first, second = (runner_for(settings, Inline()) for _ in range(2))
        first.pool.run = second.pool.run = slowly
        await asyncio.gather(
            run_until(first, settled(bootstrap, app, 600)),
            run_until(second, settled(bootstrap, app, 1800)),
        )
        batches = [runner.metrics.transactions._value.get() for runner in (first, second)]
        return (
            batches,
            await cluster.read_all(bootstrap, f"{app}.audit"),
            await cluster.read_all(bootstrap, f"{app}.deid"),
        )

    batches, audit, released = asyncio.run(go())
    assert all(batches)
    assert (1800, 1440, 1440) == (len(audit), len(released), len({r.value for r in released}))


def test_a_fenced_lane_commits_nothing(bootstrap, app):
    """When another producer of its id starts, the lane fails, rewinds and repeats nothing."""

    async def go():
        await topics(bootstrap, app)
        await cluster.write(bootstrap, app, messages(300))
        settings = settings_for(bootstrap, app)
        runner = runner_for(settings, Inline())
        stolen = asyncio.Event()

        async def steal(batch, _notes=None):
            if not stolen.is_set() and batch[0].position.offset > 0:
                stolen.set()
                topic, number = batch[0].position.topic, batch[0].position.partition
                thief = cluster.AIOKafkaProducer(
                    bootstrap_servers=bootstrap, transactional_id=f"{app}-{topic}-{number}"
                )
                await thief.start()
                await thief.stop()
            return await Inline().run(batch)

        runner.pool.run = steal
        await run_until(runner, settled(bootstrap, app, 300))
        return (
            cluster.failures(runner),
            await cluster.read_all(bootstrap, f"{app}.audit"),
        )

    failures, audit = asyncio.run(go())
    assert failures >= 1
    assert 300 == len(audit) == len({r.value.partition(b'"topic"')[2][:60] for r in audit})


def test_at_least_once(bootstrap, app):
    """Without transactions everything arrives too, and the offsets are committed."""

    async def go():
        await topics(bootstrap, app)
        await cluster.write(bootstrap, app, messages(100))
        settings = settings_for(bootstrap, app, guarantee="at-least-once")
        await run_until(runner_for(settings, Inline()), settled(bootstrap, app, 100))
        return await cluster.read_all(bootstrap, f"{app}.audit")

    assert 100 == len(asyncio.run(go()))


def test_a_pattern_leaves_out_the_adapters_own_topics(bootstrap, app):
    """Topics found by pattern are read, the adapter's outputs are not read again."""

    async def go():
        await topics(bootstrap, app)
        await cluster.write(bootstrap, app, messages(50))
        settings = settings_for(bootstrap, app, topics=(), pattern=f"{app}.*")
        await run_until(runner_for(settings, Inline()), settled(bootstrap, app, 50))
        return await cluster.read_all(bootstrap, f"{app}.audit")

    assert 50 == len(asyncio.run(go()))


def test_held_records_are_retried(bootstrap, app):
    """A bounded second run over the quarantine releases what today's rules can, and ends."""

    async def go():
        await topics(bootstrap, app)
        await cluster.write(bootstrap, app, messages(100))
        settings = settings_for(bootstrap, app)
        await run_until(runner_for(settings, Inline()), settled(bootstrap, app, 100))
        update = {"app": f"{app}-retry", "group": f"{app}-retry", "topics": (f"{app}.quarantine",)}
        inner = KafkaTransport(
            settings.kafka.model_copy(update=update), settings.workers, to_end=True
        )
        again = RetryTransport(inner, SEALER, 5, "{topic}.quarantine")
        pool = Inline(lambda r: Release(r.value) if b"5" in r.value else Hold("leak", "pattern"))
        runner = Runner(again, pool, SEALER, Audit("d2", again.public), earlier=again.earlier)
        await asyncio.wait_for(runner.run(asyncio.Event()), 30)
        return (
            await cluster.read_all(bootstrap, f"{app}.deid"),
            await cluster.read_all(bootstrap, f"{app}.quarantine"),
        )

    released, held = asyncio.run(go())
    attempts = [SEALER.open(r.value)[0].attempts for r in held]
    assert 11 == sum(r.value.startswith(b"bad") for r in released)
    assert (20, 9) == (attempts.count(1), attempts.count(2))


def test_an_unreachable_broker_is_tried_again_until_told_to_stop(app):
    """Without a broker the runner keeps trying, is not ready, and ends at once when it is to."""
    runner, stop = runner_for(settings_for("127.0.0.1:1", app), Inline()), asyncio.Event()

    async def go():
        task = asyncio.create_task(runner.run(stop))
        await asyncio.sleep(1.5)
        lacking, done = runner.lacking(), task.done()
        stop.set()
        await asyncio.wait_for(task, 5)
        return lacking, done

    lacking, done = asyncio.run(go())
    assert ("broker" in lacking, done) == (True, False)
