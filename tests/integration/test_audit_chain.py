"""The audit topic's chains on a real Kafka: several writers, refused commits, accesses."""

from __future__ import annotations

import asyncio
import base64
import importlib
import json
import sys
from pathlib import Path

import pytest

from adapter.audit import Audit
from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.runtime import access
from adapter.runtime.quarantine.entries import Selection
from adapter.runtime.quarantine.operations import listed, retry, show
from adapter.runtime.runner import Runner
from adapter.sealing.quarantine import Sealer
from adapter.transports.registry import backend
from adapter.types import Hold, Processed, Release

sys.path.insert(0, str(Path(__file__).parent))
cluster = importlib.import_module("cluster")

pytestmark = pytest.mark.kafka
SECRET = base64.b64encode(cluster.KEY).decode()


class Inline:
    """A pool without processes that holds what is bad."""

    restarts = 0

    async def run(self, batch, _notes=None):
        """Work at once."""
        return [
            Processed(Hold("leak", "pattern") if r.value == b"bad" else Release(r.value), 0.1)
            for r in batch
        ]


def settings_for(address, app, **kafka):
    """Settings with all keys, and small transactions."""
    values = {"bootstrap_servers": address, "app": app, "topics": (app,), "audit": f"{app}.audit"}
    keys = {"surrogates": "s1", "quarantine": "q1", "audit": "a1"}
    return load_settings(
        kafka=values | kafka,
        keys={name: {"id": key_id, "value": SECRET} for name, key_id in keys.items()},
        workers={"processes": 1, "batch_records": 5, "drain_seconds": 5},
    )


async def run(settings, goal):
    """An adapter until so many records are committed."""
    transport = backend(settings).transport(settings, lambda raw: (raw,), sealed=True)
    runner = Runner(transport, Inline(), Sealer("q1", {"q1": cluster.KEY}), Audit("d1"))
    stop = asyncio.Event()
    task = asyncio.create_task(runner.run(stop))
    kafka = settings.kafka
    try:
        async with asyncio.timeout(60):
            while await cluster.committed(kafka.bootstrap_servers, kafka.app, kafka.app) < goal:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
    finally:
        stop.set()
        await task
    return runner


async def begun(address, app, messages):
    """Topics, one of which refuses large records, and messages."""
    await cluster.make_topics(address, app, f"{app}.quarantine", f"{app}.audit")
    await cluster.make_topics(address, f"{app}.deid", configs={"max.message.bytes": "20000"})
    await cluster.write(address, app, messages)


def test_chains_go_on_over_writers_and_refused_commits(bootstrap, app):
    """Adapters join and leave, and the broker refuses a commit: each lane has one chain."""
    messages = [(b"%d" % n, b"m%03d" % n, ()) for n in range(120)]
    messages[50] = (b"50", b"x" * 60_000, ())

    async def go():
        await begun(bootstrap, app, messages)
        settings = settings_for(bootstrap, app)
        first = asyncio.create_task(run(settings, 60))
        await asyncio.sleep(0.5)
        runners = await asyncio.gather(first, run(settings, 120))
        failures = sum(cluster.failures(runner) for runner in runners)
        return failures, await cluster.read_all(bootstrap, f"{app}.audit")

    failures, audit = asyncio.run(go())
    problems, lengths = cluster.chains(audit)
    assert ([], 120, 3) == (problems, sum(lengths), len(lengths))
    assert failures >= 1


def test_accesses_are_in_a_chain_before_originals_are_shown(bootstrap, app):
    """Each `show` and `retry` has its record; without one that is committed nothing is shown."""

    async def go():
        await begun(bootstrap, app, [(b"k", b"bad", ()), (b"k", b"good", ())])
        settings = settings_for(bootstrap, app)
        await run(settings, 2)
        (entry,) = await listed(settings)
        shown = [await show(settings, entry.place, "ticket 7") for _ in range(2)]
        refused = settings_for(bootstrap, app, audit=None)
        with pytest.raises(RuleError, match=r"kafka\.audit: is not set"):
            await show(refused, entry.place)
        name = frozenset({entry.place})
        await retry(settings, Selection(names=name), factory=make_released)
        return shown, await cluster.read_all(bootstrap, f"{app}.audit")

    shown, audit = asyncio.run(go())
    assert [b"bad", b"bad"] == [record.value for _, record in shown]
    accesses = [json.loads(r.value) for r in audit if b'"access"' in r.value]
    assert [("quarantine show", "ticket 7")] * 2 + [("quarantine retry", None)] == [
        (said["access"], said.get("reason")) for said in accesses
    ]
    assert [1, 2, 3] == [said["number"] for said in accesses]
    problems, lengths = cluster.chains(audit)
    assert ([], [1, 2, 3]) == (problems, sorted(lengths))


def make_released():
    """A process function that releases everything."""
    return lambda record: Release(record.value)


def test_of_two_accesses_at_once_each_is_recorded_or_refused(bootstrap, app):
    """They share a chain, so one may fence the other, which then fails; the chain stays whole."""

    async def go():
        await begun(bootstrap, app, [])
        settings = settings_for(bootstrap, app)
        outcomes = await asyncio.gather(
            *(access.record(settings, "quarantine show", str(n)) for n in range(4)),
            return_exceptions=True,
        )
        return outcomes, await cluster.read_all(bootstrap, f"{app}.audit")

    outcomes, audit = asyncio.run(go())
    failed = [outcome for outcome in outcomes if outcome is not None]
    assert all(isinstance(outcome, RuleError) for outcome in failed)
    problems, (length,) = cluster.chains(audit)
    assert ([], len(outcomes) - len(failed)) == (problems, length)


def test_a_console_keeps_one_producer_and_takes_over_after_another(bootstrap, app):
    """Its chain goes on through a command's access, a second console that fences it, and back."""

    async def made():
        await cluster.make_topics(bootstrap, app, f"{app}.audit")

    async def after():
        return await cluster.read_all(bootstrap, f"{app}.audit")

    asyncio.run(made())
    settings = settings_for(bootstrap, app)
    with access.accesses(settings, "review") as first, access.accesses(settings, "review") as other:
        for number in range(2):
            first.record("review view", "review", item=number)
            producer = first._log._producer
        asyncio.run(access.record(settings, "quarantine show", "ticket 7"))
        first.record("review view", "review", item=2)
        assert producer is first._log._producer
        other.record("review view", "review", item=3)
        first.record("review view", "review", item=4)
        assert producer is not first._log._producer
    audit = asyncio.run(after())
    problems, lengths = cluster.chains(audit)
    assert ([], [1, 5]) == (problems, sorted(lengths))
    views = [json.loads(r.value) for r in audit if b"review view" in r.value]
    assert [(n, n + 1) for n in range(5)] == [(said["item"], said["number"]) for said in views]
