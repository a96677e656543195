"""One memory of patients over two topics of a real Kafka: after a kill and a rebalance, too."""

from __future__ import annotations

import asyncio
import importlib
import json
import signal
import sys
from pathlib import Path

import pytest

from tests import processes
from tests.story.feed import MESSAGES, NAMES, RELEASED

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
cluster = importlib.import_module("cluster")
store = importlib.import_module("test_patient_store")

pytestmark = pytest.mark.kafka
FIRST, LAST = 5, 9
"""Messages of the story that are settled before a second adapter joins, and until one is left."""


def topics_of(app):
    """The topics of HL7 v2 and of FHIR."""
    return f"{app}.hl7", f"{app}.fhir"


def settings_file(folder, address, app):
    """Settings that remember over both topics."""
    topics = topics_of(app)
    file = cluster.settings_file(folder, address, app, topics=topics, batch_records=3, state=True)
    with file.open("a") as more:
        more.write('[known]\nscope = "domain"\n')
    return file


async def make_topics(address, app, *, of_fhir=3):
    """Inputs and outputs."""
    hl7, fhir = topics_of(app)
    outputs = [f"{topic}.{what}" for topic in (hl7, fhir) for what in ("deid", "quarantine")]
    await cluster.make_topics(address, hl7, *outputs, f"{app}.audit")
    await cluster.make_topics(address, fhir, partitions=of_fhir)


async def tell(address, app, start, end):
    """Put messages of the story where they belong, each once those before it are settled.

    In a live feed nothing else fixes which of two topics' messages is taken first.
    """
    hl7, fhir = topics_of(app)
    for number in range(start, end):
        topic = hl7 if NAMES[number].endswith(".hl7") else fhir
        message = (store.PATIENT, (MESSAGES / NAMES[number]).read_bytes(), ())
        await cluster.write(address, topic, [message])
        await settled(address, app, number + 1)


async def settled(address, app, total):
    """Wait until so many records of both topics are committed."""
    for _ in range(1500):
        done = [await cluster.committed(address, app, topic) for topic in topics_of(app)]
        if sum(done) >= total:
            return
        await asyncio.sleep(0.2)
    raise AssertionError("not settled in time")


async def joined(log, times):
    """Wait until partitions have been assigned so often."""
    for _ in range(1500):
        if log.read_bytes().count(b'"partitions assigned"') >= times:
            return
        await asyncio.sleep(0.2)
    raise AssertionError("not joined in time")


async def told_by_two(address, app, folder):
    """The story to an adapter, then to two of one group, and when the first is killed to one."""
    await make_topics(address, app)
    file = settings_file(folder, address, app)
    processes = []
    with (folder / "log").open("ab") as log:
        try:
            processes.append(cluster.start(file, log))
            await tell(address, app, 0, FIRST)
            processes.append(cluster.start(file, log))
            await joined(folder / "log", 3)
            await tell(address, app, FIRST, LAST)
            processes[0].send_signal(signal.SIGKILL)
            await tell(address, app, LAST, len(NAMES))
        finally:
            for process in processes:
                process.send_signal(signal.SIGTERM)
            for process in processes:
                process.wait(60)
    found = [await cluster.read_all(address, f"{topic}.deid") for topic in topics_of(app)]
    return found, await cluster.read_all(address, f"{app}.state")


def test_the_story_is_told_in_two_topics(bootstrap, app, tmp_path):
    """A40 in one topic, FHIR in the other: every byte is as if all lay in one, over kills."""
    found, state = asyncio.run(told_by_two(bootstrap, app, tmp_path))
    for ending, records in zip((".hl7", ".json"), found, strict=True):
        expected = [(RELEASED / name).read_bytes() for name in NAMES if name.endswith(ending)]
        assert expected == [record.value for record in records]
    assert state
    log = (tmp_path / "log").read_bytes()
    assert b"restored what is known" in log

    said = [dict(record.headers) for records in found for record in records]
    assert len(NAMES) == len({headers["deid-id"] for headers in said})
    assert {b"s1"} == {headers["deid-key"] for headers in said}
    (merge,) = [json.loads(h["deid-merges"]) for h in said if "deid-merges" in h]
    assert ["days", "number", "prior"] == sorted(merge[0])


@pytest.mark.parametrize("command", ["run", "check"])
def test_topics_of_other_partitions_are_refused(bootstrap, app, tmp_path, command):
    """The adapter says which setting needs what, before it takes any message."""
    asyncio.run(make_topics(bootstrap, app, of_fhir=2))
    file = settings_file(tmp_path, bootstrap, app)
    done = processes.run(["-m", "adapter", command, "-c", file])
    assert done.returncode
    hl7, fhir = topics_of(app)
    told = f"known.scope: needs topics with the same number of partitions: {fhir} 2, {hl7} 3"
    assert told.encode() in done.stdout + done.stderr
