"""Rules are changed under a running service, and lanes do not notice."""

from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import time
from collections import Counter
from functools import partial

import pytest

from adapter.audit import configure_logs
from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.rollout.reload import LoadTestedRuleset, Reloader, reloading
from adapter.rules.folder import rules_folder
from adapter.runtime.service import digest_of, runner, workers_of
from adapter.sealing.quarantine import Sealer
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.types import Hold, Position, Record, Release

KEY = {"id": "k", "value": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="}


def settings_with(profile="research"):
    """Settings whose ruleset's digest depends on the profile."""
    return load_settings(
        keys={"surrogates": KEY, "quarantine": KEY},
        known={"enabled": False},
        rules={"profile": profile},
        workers={"processes": 2},
    )


def make(settings, digest):
    """A process function that writes the profile behind a message, slowly, and holds a few."""
    if settings.rules.profile == "bad":
        raise RuleError("rules.profile", "no such profile: 'bad'")
    if settings.rules.profile == "fails":
        raise ValueError("Quillfeather")

    def process(record):
        time.sleep(0.002)
        if record.value.startswith(b"bad"):
            return Hold("decode", "empty")
        value = record.value + b" " + settings.rules.profile.encode()
        return Release(value, key=record.key, ruleset_digest=digest)

    return process


def factory(settings, digest):
    """What makes it in a process of its own."""
    return partial(make, settings, digest)


class Running:
    """A service over the in-process broker that is fed as long as the scene goes on."""

    def __init__(self, load):
        self.broker, self.sent = Broker(2), 0
        settings = settings_with()
        over = MemoryTransport(self.broker, batch_records=5, follow=True)
        self.first = digest_of(settings)
        self.pool = workers_of(settings, factory(settings, self.first))
        self.runner = runner(settings, over, self.pool, self.first)
        self.reloader = Reloader(self.runner, settings, load, factory)

    def feed(self, count):
        """Send some more, every fiftieth of which is held."""
        for number in range(self.sent, self.sent + count):
            value = b"bad" if number % 50 == 0 else b"%04d" % number
            self.broker.append("in", Record(value, Position("", 0, 0), key=b"%d" % (number % 5)))
        self.sent += count
        self.broker.arrival.set()

    async def until(self, done):
        """Keep a little unsettled until something is so."""
        while not done():
            if self.sent - len(self.broker.records("audit")) < 30:
                self.feed(10)
            await asyncio.sleep(0.005)

    async def settled(self, count):
        """Feed until so many more records are settled."""
        goal = len(self.broker.records("audit")) + count
        await self.until(lambda: len(self.broker.records("audit")) >= goal)

    async def run(self, scene):
        """Serve while the scene goes on, and settle what was sent."""
        stop = asyncio.Event()
        async with reloading(self.reloader), self.pool:
            served = asyncio.create_task(self.runner.run(stop))
            await self.settled(40)
            await scene(self)
            while len(self.broker.records("audit")) < self.sent:  # noqa: ASYNC110
                await asyncio.sleep(0.005)
            stop.set()
            self.runner.drain_seconds = 0
            await served
        return self

    def digests(self):
        """Partition and digest of the audit records, in order."""
        entries = [json.loads(record.value) for record in self.broker.records("audit")]
        entries.sort(key=lambda entry: (entry["partition"], entry["offset"]))
        return [(entry["partition"], entry["ruleset"]) for entry in entries]


def events(stream):
    """Names of logged events, and all lines."""
    lines = [json.loads(line) for line in stream.getvalue().splitlines()]
    return [line["event"] for line in lines], lines


@pytest.fixture
def logged():
    """What is logged meanwhile."""
    stream = io.StringIO()
    configure_logs("info", stream)
    yield stream
    configure_logs("warning")


def _counted(counter):
    return any(s.value for m in counter.collect() for s in m.samples if s.name.endswith("_total"))


async def hang_up(running):
    """SIGHUP amid the load, which goes on until something has come of it and beyond."""
    os.kill(os.getpid(), signal.SIGHUP)
    counter = running.runner.metrics.reloads
    await running.until(lambda: _counted(counter))
    await running.settled(60)


def test_every_record_is_settled_once_by_one_of_the_two(logged):
    """Each lane goes from the old digest to the new one once; releases agree with the audit."""
    second = settings_with("safe-harbor")
    running = Running(lambda: second)
    asyncio.run(running.run(hang_up))
    assert ["compiling changed rules", "rules changed"] == events(logged)[0][:2]
    digests = running.digests()
    assert running.sent == len(digests)
    new = digest_of(second)
    for lane in (0, 1):
        told = [digest for partition, digest in digests if partition == lane]
        switch = told.index(new)
        assert [running.first] * switch + [new] * (len(told) - switch) == told
        assert switch
    for record in running.broker.records("released"):
        expected = new if record.value.endswith(b"safe-harbor") else running.first
        assert dict(record.headers)["deid-ruleset"] == expected.encode()
    numbers = Counter(r.value[:4] for r in running.broker.records("released"))
    assert {1} == set(numbers.values())
    held = [
        Sealer("k", {"k": settings_with().keys.quarantine.read()}).open(r.value)[0]
        for r in running.broker.records("held")
    ]
    assert running.sent == len(numbers) + len(held)
    assert {running.first, new} == {each.ruleset for each in held}


def test_order_of_keys_is_kept():
    """What a key's readers see is in the order in which it was sent."""
    running = Running(lambda: settings_with("safe-harbor"))
    asyncio.run(running.run(hang_up))
    by_key = {}
    for record in running.broker.records("released"):
        by_key.setdefault(record.key, []).append(record.value[:4])
    assert 5 == len(by_key)
    assert all(sorted(values) == values for values in by_key.values())


@pytest.mark.parametrize(
    ("profile", "told"),
    [
        ("bad", {"error": "RuleError", "place": "rules.profile"}),
        ("fails", {"error": "WorkerStartError", "reason": "ValueError"}),
    ],
)
def test_rules_that_cannot_be_honoured_are_refused(profile, told, logged):
    """The old ones go on, the log says why and quotes nothing, the metric counts."""
    running = Running(lambda: settings_with(profile))
    running.reloader.factory = factory
    asyncio.run(running.run(hang_up))
    names, lines = events(logged)
    assert "changed rules refused" in names
    refused = lines[names.index("changed rules refused")]
    assert told.items() <= refused.items()
    assert "Quillfeather" not in logged.getvalue()
    assert {running.first} == {digest for _, digest in running.digests()}


def test_settings_that_cannot_be_read_are_refused(logged):
    """A slip of the pen in the settings file stops nothing."""

    def load():
        raise RuleError("adapter.toml", "is not TOML")

    running = Running(load)
    asyncio.run(running.run(hang_up))
    assert "changed rules refused" in events(logged)[0]
    assert running.runner.pool is running.pool


def test_unchanged_rules_change_nothing(logged):
    """A second SIGHUP starts no workers."""
    running = Running(settings_with)

    async def scene(running):
        await running.reloader.reload()

    asyncio.run(running.run(scene))
    assert "rules unchanged" in events(logged)[0]
    assert running.runner.pool is running.pool


def test_keys_and_bounds_are_not_reloaded():
    """Of settings read anew only the rules count."""
    other = {"id": "other", "value": "HxwbGhkYFxYVFBMSERAPDg0MCwoJCAcGBQQDAgEAHx4="}
    fresh = load_settings(
        keys={"surrogates": other}, rules={"profile": "safe-harbor"}, workers={"processes": 7}
    )
    running = Running(lambda: fresh)
    settings, _ = running.reloader._present()
    assert ("k", 2) == (settings.keys.surrogates.id, settings.workers.processes)
    assert "safe-harbor" == settings.rules.profile


def test_a_stop_gives_up_a_change_under_way():
    """Nobody waits for rules that will not be used."""

    def slow(_settings, _digest):
        return partial(time.sleep, 600)

    running = Running(lambda: settings_with("safe-harbor"))
    running.reloader.factory = slow

    async def scene(running):
        os.kill(os.getpid(), signal.SIGHUP)
        await running.until(lambda: running.reloader._starting is not None)

    since = time.monotonic()
    asyncio.run(running.run(scene))
    assert time.monotonic() - since < 60


def test_rules_that_fail_their_own_tests_are_refused(tmp_path):
    """A pattern that does not find what its own test marks is named by its file."""
    folder = rules_folder(settings_with()).path
    copy = tmp_path / "rules"
    copy.mkdir()
    for part in folder.iterdir():
        if part.name != "patterns":
            (copy / part.name).symlink_to(part)
    for family in folder.glob("patterns/*/*.toml"):
        target = copy / family.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.symlink_to(family)
    (copy / "patterns/en/ours.toml").write_text(
        'family = "ours"\n[[pattern]]\nname = "n"\nlabel = "IDNUM"\nstarts = ["study"]\n'
        'regex = "study (?P<phi>[a-z]{2}-[0-9]{4})"\n'
        '[[tests]]\nabout = "ours"\nmarked = ["[[IDNUM:study qx-4711]] since May"]\n'
    )
    settings = load_settings(
        keys={"surrogates": KEY}, rules={"folder": copy, "languages": ["en"], "models": tmp_path}
    )
    with pytest.raises(RuleError, match=r"patterns/en/ours\.toml"):
        LoadTestedRuleset(settings, "")()
