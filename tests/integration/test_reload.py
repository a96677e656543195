"""Rules are changed under load on a real Kafka: one ruleset a transaction, nothing lost."""

from __future__ import annotations

import asyncio
import json
import signal
from itertools import pairwise

import pytest

from adapter.config.settings import load_settings
from adapter.runtime.service import digest_of
from adapter.sealing.quarantine import Sealer
from tests import processes
from tests.chaos.checker import Findings, Topics, account
from tests.chaos.load import CANARIES, message
from tests.integration import cluster

pytestmark = pytest.mark.kafka
RULES = '[rules]\nlanguages = ["en"]\nprofile = "{}"\n'
PORTION, MOST = 150, 12_000


class Load:
    """An adapter at work on messages that keep coming, and its log."""

    def __init__(self, address, app, folder, *options):
        self.address, self.app, self.folder, self.sent = address, app, folder, 0
        self.options = options
        self.base = cluster.settings_file(folder, address, app, processes=1).read_text()
        self.file = folder / "adapter.toml"

    def rules(self, profile):
        """Write the settings with that profile, and return their ruleset's digest."""
        self.file.write_text(self.base + RULES.format(profile) + '[log]\nlevel = "debug"\n')
        return digest_of(load_settings(self.file)) if profile != "none-such" else ""

    def events(self):
        """Lines of the log so far."""
        lines = (self.folder / "log").read_text().splitlines()
        return [json.loads(line) for line in lines if line.endswith("}")]

    async def feed(self, until, beyond=PORTION):
        """Write messages a little ahead of what is settled, until something is so and beyond."""
        goal = MOST
        while self.sent < goal:
            part = [message(n) for n in range(self.sent, self.sent + PORTION)]
            await cluster.write(self.address, self.app, part)
            self.sent += PORTION
            while await cluster.committed(self.address, self.app, self.app) < self.sent - PORTION:
                assert self.process.poll() is None
                await asyncio.sleep(0.1)
            if goal == MOST and until():
                goal = self.sent + beyond

    def start(self, log):
        """Start the adapter."""
        command = ["-m", "adapter", "run", "--config", self.file, *self.options]
        self.process = processes.Started(command, stdout=log, stderr=log)

    async def run(self, scene):
        """Serve while the scene goes on; return what a reader of all topics sees."""
        topics = self.app, *(f"{self.app}.{name}" for name in ("deid", "quarantine", "audit"))
        await cluster.make_topics(self.address, *topics, partitions=2)
        with (self.folder / "log").open("ab") as log:
            self.start(log)
            try:
                await self.feed(lambda: self.sent >= 2 * PORTION, 0)
                await scene(self)
                while await cluster.committed(self.address, self.app, self.app) < self.sent:  # noqa: ASYNC110
                    await asyncio.sleep(0.1)
            finally:
                self.process.terminate()
                self.code = await asyncio.to_thread(self.process.wait, 60)
        return [await cluster.read_all(self.address, topic) for topic in topics]

    def said(self, event):
        """Whether something was logged."""
        return any(line["event"] == event for line in self.events())


def complete(load, seen):
    """Each record was settled once, clean and in order; return the audit's entries in order."""
    source, released, held, audit = seen
    assert (0, load.sent) == (load.code, len(source))
    entries = [json.loads(record.value) for record in audit]
    sealer = Sealer("q1", {"q1": cluster.KEY})
    originals = [sealer.open(envelope.value)[1] for envelope in held]
    places = [((r.position.partition, r.position.offset), r.value) for r in originals]
    at = [(entry["partition"], entry["offset"]) for entry in entries]
    assert Findings() == account(Topics(source, released, places, at))
    assert not CANARIES.search((load.folder / "log").read_bytes())
    return sorted(entries, key=lambda entry: (entry["partition"], entry["offset"]))


@pytest.mark.slow
@pytest.mark.parametrize("option", [None, "--watch"], ids=["signal", "watch"])
def test_rules_change_between_two_batches(bootstrap, app, tmp_path, option):
    """Each partition goes from the old ruleset to the new once, and no lane waits for a compile."""
    load = Load(bootstrap, app, tmp_path, *filter(None, [option]))
    old = load.rules("research")
    new = []

    async def scene(load):
        new.append(load.rules("safe-harbor"))
        if option is None:
            load.process.send_signal(signal.SIGHUP)
        await load.feed(lambda: load.said("rules changed"))

    seen = asyncio.run(load.run(scene))
    entries = complete(load, seen)
    for partition in (0, 1):
        told = [each["ruleset"] for each in entries if each["partition"] == partition]
        switch = told.index(new[0])
        assert [old] * switch + new * (len(told) - switch) == told
        assert switch
    by_id = {entry["id"]: entry["ruleset"] for entry in entries}
    for record in seen[1]:
        headers = dict(record.headers)
        assert by_id[headers["deid-id"].decode()] == headers["deid-ruleset"].decode()
    times = sorted(entry["time_ms"] for entry in entries)
    print("longest time between two settled records, ms:", max(b - a for a, b in pairwise(times)))
    (change,) = [line for line in load.events() if line["event"] == "rules changed"]
    print("compiling and testing beside the load, ms:", change["milliseconds"])


@pytest.mark.slow
def test_rules_that_do_not_compile_change_nothing(bootstrap, app, tmp_path):
    """The log says what is wrong, and everything is by the ruleset of the start."""
    load = Load(bootstrap, app, tmp_path)
    old = load.rules("research")

    async def scene(load):
        load.rules("none-such")
        load.process.send_signal(signal.SIGHUP)
        await load.feed(lambda: load.said("changed rules refused"))

    entries = complete(load, asyncio.run(load.run(scene)))
    assert {old} == {entry["ruleset"] for entry in entries}
    (refused,) = [line for line in load.events() if line["event"] == "changed rules refused"]
    assert "rules.profile" == refused["place"]
