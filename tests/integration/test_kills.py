"""``kill -9`` amid the stream: nothing lost, nothing published twice, order per key kept."""

from __future__ import annotations

import asyncio
import importlib
import json
import random
import signal
import sys
from pathlib import Path

import pytest

from adapter.sealing.quarantine import Sealer
from tests.chaos.checker import Findings, Topics, account
from tests.chaos.load import CANARIES, message

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
cluster = importlib.import_module("cluster")

pytestmark = pytest.mark.kafka


def settings_file(folder, address, app):
    """Settings whose logs tell all."""
    file = cluster.settings_file(folder, address, app)
    with file.open("a") as more:
        more.write('[log]\nlevel = "debug"\n')
    return file


async def killed_runs(address, app, folder, total, kills):
    """Write ``total`` messages in portions; kill the adapter soon after it begins each of them."""
    topics = app, f"{app}.deid", f"{app}.quarantine", f"{app}.audit"
    await cluster.make_topics(address, *topics, partitions=3)
    file, dice = settings_file(folder, address, app), random.Random(7)
    numbers = list(range(total))
    portion = -(-total // (kills + 1))
    with (folder / "log").open("ab") as log:
        process = cluster.start(file, log)
        for number in range(kills + 1):
            part = numbers[number * portion : (number + 1) * portion]
            await cluster.write(address, app, [message(n) for n in part])
            goal = part[0] + 20 if number < kills else total
            await reached(address, app, goal, process)
            if number < kills:
                await asyncio.sleep(dice.uniform(0, 0.2))
                process.kill()
                process.wait()
                process = cluster.start(file, log)
        process.send_signal(signal.SIGTERM)
        code = await asyncio.to_thread(process.wait, 30)
    return code, [await cluster.read_all(address, topic) for topic in topics]


async def killed_at(address, app, folder, total, steps):
    """Write messages and run adapters of which each kills itself at a step, then one that ends."""
    topics = app, f"{app}.deid", f"{app}.quarantine", f"{app}.audit"
    await cluster.make_topics(address, *topics, partitions=3)
    file = settings_file(folder, address, app)
    await cluster.write(address, app, [message(n) for n in range(total)])
    with (folder / "log").open("ab") as log:
        for step in steps:
            killed = cluster.start(file, log, KILL_AT=step)
            assert -signal.SIGKILL == await asyncio.to_thread(killed.wait, 60), step
        process = cluster.start(file, log)
        await reached(address, app, total, process)
        process.send_signal(signal.SIGTERM)
        code = await asyncio.to_thread(process.wait, 30)
    return code, [await cluster.read_all(address, topic) for topic in topics]


async def stopped_and_resumed(address, app, folder, total):
    """Stop one adapter amid the stream, let another take over, and let the first go on."""
    topics = app, f"{app}.deid", f"{app}.quarantine", f"{app}.audit"
    await cluster.make_topics(address, *topics, partitions=3)
    file = settings_file(folder, address, app)
    with (folder / "log").open("ab") as log:
        late = cluster.start(file, log)
        await cluster.write(address, app, [message(n) for n in range(total)])
        await reached(address, app, 40, late)
        late.send_signal(signal.SIGSTOP)
        heir = cluster.start(file, log)
        await reached(address, app, total, heir)
        late.send_signal(signal.SIGCONT)
        await cluster.write(address, app, [message(n) for n in range(total, 2 * total)])
        await reached(address, app, 2 * total, heir)
        for process in (late, heir):
            process.send_signal(signal.SIGTERM)
        codes = [await asyncio.to_thread(process.wait, 60) for process in (late, heir)]
    return codes, [await cluster.read_all(address, topic) for topic in topics]


async def reached(address, app, goal, process, seconds=180):
    """Until the group has committed that many records."""
    for _ in range(seconds * 20):
        if await cluster.committed(address, app, app) >= goal:
            return
        if process.poll() is not None:
            raise RuntimeError("the adapter ended by itself")
        await asyncio.sleep(0.05)
    raise TimeoutError


@pytest.mark.parametrize(
    ("total", "kills"),
    [
        pytest.param(2_000, 2, id="short"),
        pytest.param(20_000, 5, id="long", marks=pytest.mark.slow),
    ],
)
def test_exactly_once_over_kills(bootstrap, app, tmp_path, total, kills):
    """However often it is killed, a read_committed reader sees each message once, in order."""
    code, seen = asyncio.run(killed_runs(bootstrap, app, tmp_path, total, kills))
    assert 0 == code
    complete(total, seen, (tmp_path / "log").read_bytes())


STEPS = (
    "start after 1",
    "begin_transaction before 2",
    "begin_transaction after 2",
    "send before 30",
    "send after 30",
    "send_offsets_to_transaction before 2",
    "send_offsets_to_transaction after 2",
    "commit_transaction before 2",
    "commit_transaction after 2",
)
"""Calls of a producer within a lane's transactions, at which an adapter is killed."""


@pytest.mark.slow
def test_exactly_once_over_a_kill_at_each_call_of_the_broker(bootstrap, app, tmp_path):
    """Whatever the broker knows of a transaction when its owner dies, each message is out once."""
    code, seen = asyncio.run(killed_at(bootstrap, app, tmp_path, 1_500, STEPS))
    assert 0 == code
    complete(1_500, seen, (tmp_path / "log").read_bytes())


def test_exactly_once_when_a_late_owner_wakes_up(bootstrap, app, tmp_path):
    """An adapter stopped while another took over its partitions publishes nothing twice."""
    codes, seen = asyncio.run(stopped_and_resumed(bootstrap, app, tmp_path, 600))
    assert [0, 0] == codes
    complete(1200, seen, (tmp_path / "log").read_bytes())


def complete(total, seen, log):
    """Each offset was settled once; released and held are all there, clean and in order."""
    source, released, held, audit = seen
    assert total == len(source)
    entries = [json.loads(record.value) for record in audit]
    at = [(entry["partition"], entry["offset"]) for entry in entries]
    sealer = Sealer("q1", {"q1": cluster.KEY})
    originals = [sealer.open(envelope.value)[1] for envelope in held]
    places = [((r.position.partition, r.position.offset), r.value) for r in originals]
    assert Findings() == account(Topics(source, released, places, at))
    assert len({r.key for r in source}) == len({r.key for r in released})
    problems, lengths = cluster.chains(audit)
    assert ([], total, True) == (problems, sum(lengths), len(lengths) <= 3)
    clean(released, held, log, audit)
    sealed(source, originals)


def clean(released, held, log, audit):
    """Nothing of the patient in keys, headers, values, envelopes, audit or logs."""
    texts = [r.key for r in released] + [r.value for r in released + held + audit] + [log]
    texts += [b"%s %s" % (name.encode(), value) for r in released for name, value in r.headers]
    assert [] == [index for index, text in enumerate(texts) if CANARIES.search(text)]
    assert {(None, ())} == {(r.key, r.headers) for r in held}


def sealed(source, originals):
    """What is held is what came in, with its key and headers."""
    sent = {(r.partition, r.offset): (r.key, r.value, r.headers) for r in source}
    for record in originals:
        at = record.position.partition, record.position.offset
        assert sent[at] == (record.key, record.value, record.headers)
