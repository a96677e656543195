"""`deid-adapter check` over a real broker, for a site that has nothing but its inputs."""

from __future__ import annotations

import asyncio

import pytest
from aiokafka.admin import AIOKafkaAdminClient

from adapter.config.settings import load_settings
from adapter.transports.registry import backend
from tests.integration.cluster import make_topics, settings_file

pytestmark = pytest.mark.kafka


async def listed(address):
    """The names of all topics."""
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    try:
        return set(await admin.list_topics())
    finally:
        await admin.close()


def test_missing_topics_are_created_as_they_must_be(bootstrap, app, tmp_path):
    """A missing output that no adapter makes itself is named; with all created nothing is wrong."""
    settings = load_settings(settings_file(tmp_path, bootstrap, app, state=True))
    outputs = {f"{app}.{name}" for name in ("deid", "quarantine", "audit", "state")}

    async def look(*, create):
        return await backend(settings).preflight(settings, state=True, create=create)

    async def go():
        await make_topics(bootstrap, app, partitions=2)
        missing = await look(create=False)
        before = outputs & await listed(bootstrap)
        made, after = await look(create=True), await look(create=False)
        return missing, before, made, after, outputs & await listed(bootstrap)

    missing, before, made, after, there = asyncio.run(go())
    assert outputs - {f"{app}.state"} == {place for place, _ in missing.wrong}
    assert (set(), outputs) == (before, there)
    assert {f"{name} created" for name in outputs} <= set(made.fine)
    assert ((), ()) == (made.wrong, after.wrong)
