"""What is known of patients over a real Kafka: committed with messages, restored by the next."""

from __future__ import annotations

import asyncio
import importlib
import signal
import sys
from pathlib import Path

import pytest
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType

from tests import processes
from tests.story.feed import MESSAGES, NAMES, RELEASED

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))
cluster = importlib.import_module("cluster")

pytestmark = pytest.mark.kafka
PATIENT = b"7730412"


def settings_file(folder, address, app):
    """Settings that remember, in small transactions."""
    return cluster.settings_file(folder, address, app, processes=2, batch_records=3, state=True)


async def settled(address, app, count):
    """Wait until so many records are committed."""
    for _ in range(600):
        if await cluster.committed(address, app, app) >= count:
            return
        await asyncio.sleep(0.2)
    raise AssertionError("not settled in time")


async def told_by_two(address, app, folder):
    """Half of the story to an adapter that is then killed, the rest to its successor."""
    await cluster.make_topics(address, app, f"{app}.deid", f"{app}.quarantine", f"{app}.audit")
    messages = [(PATIENT, (MESSAGES / name).read_bytes(), ()) for name in NAMES]
    file = settings_file(folder, address, app)
    with (folder / "log").open("ab") as log:
        for part, last in ((messages[:7], signal.SIGKILL), (messages[7:], signal.SIGTERM)):
            await cluster.write(address, app, part)
            process = cluster.start(file, log)
            try:
                await settled(address, app, 7 if last is signal.SIGKILL else len(messages))
            finally:
                process.send_signal(last)
                process.wait(30)
    released = await cluster.read_all(address, f"{app}.deid")
    return [record.value for record in released], await cluster.read_all(address, f"{app}.state")


async def cleanup_policy(address, topic):
    """The topic's cleanup.policy."""
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    try:
        resource = ConfigResource(ConfigResourceType.TOPIC, topic)
        (answer,) = await admin.describe_configs([resource])
    finally:
        await admin.close()
    configs = {entry[0]: entry[1] for entry in answer.resources[0][4]}
    return configs["cleanup.policy"]


def test_the_story_goes_on_after_a_kill(bootstrap, app, tmp_path):
    """A successor knows what its killed predecessor's committed messages taught, to the byte."""
    released, state = asyncio.run(told_by_two(bootstrap, app, tmp_path))
    assert [(RELEASED / name).read_bytes() for name in NAMES] == released
    assert state
    shown = b"".join(record.key + (record.value or b"") for record in state).lower()
    for real in (b"thackeray", b"ostrander", b"bertram", PATIENT, b"9914406"):
        assert real not in shown
    assert b"restored what is known" in (tmp_path / "log").read_bytes()
    assert "compact" == asyncio.run(cleanup_policy(bootstrap, f"{app}.state"))


def test_a_state_topic_of_other_partitions_is_refused(bootstrap, app, tmp_path):
    """At the first message the adapter ends and says which setting is wrong: nothing is sent."""

    async def topics():
        await cluster.make_topics(bootstrap, app)
        await cluster.make_topics(bootstrap, f"{app}.state", partitions=1)
        await cluster.write(bootstrap, app, [(PATIENT, (MESSAGES / NAMES[0]).read_bytes(), ())])

    asyncio.run(topics())
    file = settings_file(tmp_path, bootstrap, app)
    done = processes.run(["-m", "adapter", "run", "-c", file])
    assert done.returncode
    assert b"kafka.state: the topic must have as many partitions as its input" in done.stderr
