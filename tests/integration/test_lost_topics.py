"""An output topic that somebody deletes while an adapter runs, and makes again."""

from __future__ import annotations

import asyncio

import pytest
from aiokafka.admin import AIOKafkaAdminClient

from tests.chaos.load import number_of
from tests.chaos.service import Service
from tests.integration import cluster

pytestmark = [pytest.mark.kafka, pytest.mark.slow]


async def deleted(address, topic):
    """Delete a topic."""
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    try:
        await admin.delete_topics([topic])
    finally:
        await admin.close()


@pytest.mark.parametrize("lost", ["deid", "audit"])
def test_nothing_is_settled_while_an_output_is_missing(bootstrap, app, tmp_path, lost):
    """The log names the topic; made again, it gets all that was not settled, each once."""
    service = Service(bootstrap, app, tmp_path)
    topic = f"{app}.{lost}"

    def told():
        named = [event for event in service.events() if event.get("topic") == topic]
        return any(event["level"] in {"error", "warning"} for event in named)

    async def go():
        await service.begin(100)
        await deleted(bootstrap, topic)
        await service.write(100)
        await service.until(told)
        before = await service.behind()
        await cluster.make_topics(bootstrap, topic)
        await service.settled(200)
        await service.stop()
        return before, await cluster.read_all(bootstrap, f"{app}.deid")

    before, released = asyncio.run(go())
    assert before > 0
    numbers = sorted(number_of(record.value) for record in released)
    wanted = range(100 if lost == "deid" else 0, 200)
    assert numbers == [number for number in wanted if number % 50]
