"""A dry run over real topics: counted as the service would, and nobody can tell that it was."""

from __future__ import annotations

import asyncio
from collections import Counter

import pytest
from aiokafka import TopicPartition
from aiokafka.admin import AIOKafkaAdminClient

from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.rollout.dry_run import dry_run
from adapter.transports.kafka.reading import newest
from tests.chaos.load import message
from tests.integration import cluster

pytestmark = pytest.mark.kafka
TOTAL = 60


async def written(bootstrap, app, tmp_path):
    """Settings over an input of TOTAL messages, two of which are none."""
    outputs = [f"{app}.deid", f"{app}.quarantine", f"{app}.audit", f"{app}.state"]
    await cluster.make_topics(bootstrap, app, *outputs)
    await cluster.write(bootstrap, app, [message(n) for n in range(TOTAL)])
    return load_settings(cluster.settings_file(tmp_path, bootstrap, app, state=True)), outputs


async def groups(bootstrap):
    """Names of all consumer groups."""
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    try:
        return {name for name, *_ in await admin.list_consumer_groups()}
    finally:
        await admin.close()


def test_nothing_is_published_or_committed(bootstrap, app, tmp_path):
    """Outputs stay empty, no group comes to be, and the counts are those of the input."""

    async def go():
        settings, outputs = await written(bootstrap, app, tmp_path)
        before = await groups(bootstrap)
        status, summary = await dry_run(settings)
        seen = [len(await cluster.read_all(bootstrap, topic)) for topic in outputs]
        return status, summary.as_dict(), seen, await groups(bootstrap) - before

    status, told, seen, new = asyncio.run(go())
    assert (0, TOTAL, TOTAL - 2, 2) == (
        status,
        told["records"],
        told["released"],
        told["held"],
    )
    assert {"decode/unknown-format": 2} == told["holds"]
    assert ([0, 0, 0, 0], set()) == (seen, new)


@pytest.mark.slow
def test_the_live_group_stays_where_it_is(bootstrap, app, tmp_path):
    """Offsets that the service has committed are the same after a dry run of the newest records."""

    async def go():
        settings, _ = await written(bootstrap, app, tmp_path)
        process = cluster.start(tmp_path / "adapter.toml", None)
        try:
            while await cluster.committed(bootstrap, app, app) < TOTAL:
                assert process.poll() is None
                await asyncio.sleep(0.2)
            _, summary = await dry_run(settings, 12)
            done = await cluster.committed(bootstrap, app, app)
        finally:
            process.terminate()
            code = await asyncio.to_thread(process.wait, 60)
        released = await cluster.read_all(bootstrap, f"{app}.deid")
        return summary.records, done, code, len(released)

    assert (12, TOTAL, 0, TOTAL - 2) == asyncio.run(go())


def test_a_missing_topic_is_named(bootstrap, app, tmp_path):
    """Nobody waits for a topic that is not there."""
    settings = load_settings(cluster.settings_file(tmp_path, bootstrap, app))
    with pytest.raises(RuleError, match=rf"kafka\.topics: {app} does not exist"):
        asyncio.run(dry_run(settings))


def test_the_newest_records_are_shared_out():
    """What a small partition leaves goes to the larger ones; no more is read than asked for."""
    there = {TopicPartition("t", n): (100, 100 + size) for n, size in enumerate((2, 50, 90))}
    chosen = newest(there, 42)
    sizes = Counter({p.partition: end - first for p, (first, end) in chosen.items()})
    assert {0: 2, 1: 20, 2: 20} == sizes
    assert {end for _, end in chosen.values()} == {end for _, end in there.values()}
    assert there == newest(there, 0)
