"""Replay over a real Kafka: of a live range, against what the live run published, with kills."""

from __future__ import annotations

import asyncio
import importlib
import json
import signal
import sys
import time
from pathlib import Path

import pytest

from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.replay import passes
from adapter.replay.run import ready, replay, verify
from adapter.runtime.service import runner
from adapter.transports.kafka.transport import KafkaTransport
from tests import processes
from tests.replay.conftest import InlinePool
from tests.replay.worlds import KEYS, StandIn, message

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
cluster = importlib.import_module("cluster")

pytestmark = pytest.mark.kafka
SCRIPT = HERE.parent / "replay" / "replay_process.py"
COUNT = 600


def settings_file(folder, address, app, name, *, source, target):
    """Settings of the live run and of a replay of its input."""
    keys = "\n".join(
        f'[keys.{purpose}]\nid = "{key["id"]}"\nvalue = "{key["value"]}"'
        for purpose, key in KEYS.items()
    )
    file = folder / f"{name}.toml"
    file.write_text(
        f'{keys}\n[log]\nlevel = "error"\n[workers]\nbatch_records = 20\nprocesses = 1\n'
        f'[kafka]\nbootstrap_servers = "{address}"\napp = "{app}"\ntopics = ["{app}.in"]\n'
        f'audit = ""\n'
        f'[replay]\nname = "{name}"\n[replay.source]\n{source}\n[replay.target]\n{target}\n'
    )
    return file


def of_kafka(app):
    """The source: the live run's input."""
    return f'kind = "kafka"\ntopics = ["{app}.in"]'


def into_topics(app):
    """The target: topics of the application's own."""
    return f'kind = "topic"\nprogress = "{app}.progress"'


def the_manifest(folder, name):
    """The manifest in a replay's journal."""
    return json.loads((folder / f"{name}.replay" / "manifest.json").read_bytes())


async def lived(address, app, file, monkeypatch):
    """The input, and a live run over all of it."""
    topic = f"{app}.in"
    outputs = (f"{topic}.deid", f"{topic}.quarantine")
    await cluster.make_topics(address, topic, *outputs)
    messages = [
        (b"MRN%d" % (n % 9), None if n % 25 == 24 else message(n), [("source", b"%d" % n)])
        for n in range(COUNT)
    ]
    await cluster.write(address, topic, messages)
    loaded = load_settings(file)
    settings, digest = ready(loaded)
    over = KafkaTransport(settings.kafka, settings.workers, to_end=True)
    await runner(settings, over, InlinePool(StandIn()), digest).run(asyncio.Event())
    monkeypatch.setattr(passes, "Pool", InlinePool)
    return loaded


def test_a_live_range_replayed_is_what_was_published(bootstrap, app, tmp_path, monkeypatch):
    """Every release and hold is the live run's, whose group's offsets stay as they are."""
    target = f'url = "{tmp_path / "out"}"'
    file = settings_file(tmp_path, bootstrap, app, "one", source=of_kafka(app), target=target)

    async def go():
        loaded = await lived(bootstrap, app, file, monkeypatch)
        before = await cluster.committed(bootstrap, app, f"{app}.in")
        done = await replay(loaded, factory=StandIn())
        live = await verify(loaded, "kafka", factory=StandIn())
        folder = await verify(loaded, str(tmp_path / "out"), factory=StandIn())
        after = await cluster.committed(bootstrap, app, f"{app}.in")
        published = await cluster.read_all(bootstrap, f"{app}.in.deid")
        return before, after, done, live, folder, len(published)

    before, after, done, live, folder, published = asyncio.run(go())
    assert (COUNT, COUNT) == (before, after)
    assert published == done.manifest["totals"]["released"]
    for report in (live, folder):
        assert (0, {}, 0) == (
            report.status,
            report.manifest["output"]["differences"],
            report.manifest["output"]["outside"],
        )
        assert COUNT == sum(report.manifest["output"]["same"].values())


@pytest.mark.parametrize(
    "kills", [pytest.param(3, id="short"), pytest.param(10, id="long", marks=pytest.mark.slow)]
)
def test_kills_leave_the_topics_of_none(bootstrap, app, tmp_path, monkeypatch, kills):
    """SIGKILLs and resumes: each release is there once, the manifest is that of one run."""
    whole = settings_file(
        tmp_path, bootstrap, app, "whole", source=of_kafka(app), target=into_topics(app)
    )
    killed = settings_file(
        tmp_path, bootstrap, app, "killed", source=of_kafka(app), target=into_topics(app)
    )

    async def at_first():
        loaded = await lived(bootstrap, app, whole, monkeypatch)
        await replay(loaded, factory=StandIn())
        return loaded

    loaded = asyncio.run(at_first())
    for number in range(kills):
        process = processes.Started([SCRIPT, killed, "0.05"])
        time.sleep(5 + 2.3 * number / kills)
        process.send_signal(signal.SIGKILL)
        assert -signal.SIGKILL == process.wait()
    last = processes.run([SCRIPT, killed, "0"])
    assert 0 == last.returncode
    one, other = the_manifest(tmp_path, "whole"), the_manifest(tmp_path, "killed")
    for told in (one, other):
        told["name"] = ""
        told["output"]["topics"] = []
    assert one == other

    async def at_last():
        report = await verify(loaded, "kafka:{topic}.killed", factory=StandIn())
        return report, await cluster.read_all(bootstrap, f"{app}.in.killed")

    report, records = asyncio.run(at_last())
    assert (0, {}) == (report.status, report.manifest["output"]["differences"])
    assert other["totals"]["released"] == len(records)


def test_an_archive_goes_into_topics(bootstrap, app, tmp_path, monkeypatch):
    """Messages of a folder are released to topics that are made for them."""
    from tests.replay import worlds  # noqa: PLC0415

    given = worlds.records(60)
    worlds.columns_avro(tmp_path / "archive", given)
    source = f'url = "{tmp_path / "archive"}"\nformat = "avro"'
    target = f'{into_topics(app)}\ntopic = "{app}.{{topic}}"'
    file = settings_file(tmp_path, bootstrap, app, app, source=source, target=target)
    monkeypatch.setattr(passes, "Pool", InlinePool)

    async def go():
        done = await replay(load_settings(file), factory=StandIn())
        return done, await cluster.read_all(bootstrap, f"{app}.{worlds.TOPIC}")

    done, records = asyncio.run(go())
    assert done.manifest["totals"]["released"] == len(records)
    tombstones = [record for record in records if record.value is None]
    assert done.manifest["totals"]["tombstones"] == len(tombstones)


def test_a_topic_that_is_not_there(bootstrap, app, tmp_path):
    """A missing topic is named before anything is written."""
    target = f'url = "{tmp_path / "out"}"'
    file = settings_file(tmp_path, bootstrap, app, "one", source=of_kafka(app), target=target)
    with pytest.raises(RuleError, match=f"{app}.in: no such topic"):
        asyncio.run(replay(load_settings(file), factory=StandIn()))
