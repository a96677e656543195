"""A broker that goes away while an adapter runs, and comes back."""

from __future__ import annotations

import asyncio
import shutil

import pytest

from tests.chaos.load import number_of
from tests.chaos.service import Service
from tests.chaos.trial import Broker
from tests.integration import cluster
from tests.integration.conftest import free_port

pytestmark = [pytest.mark.kafka, pytest.mark.slow]


@pytest.fixture
def broker(tmp_path):
    """A broker of its own, which may be stopped."""
    if not (shutil.which("java") and shutil.which("mvn")):
        pytest.skip("NO KAFKA of its own: install Java 17 and Maven")
    started = Broker.local(tmp_path, free_port())
    started.start()
    yield started
    started.stop()


def test_an_adapter_without_a_broker_is_not_ready_until_it_is_back(tmp_path, broker):
    """`/readyz` turns false and the log names the address; afterwards nothing is lost or twice."""
    service = Service(broker.address, "gone", tmp_path)

    async def go():
        await service.begin(100)
        broker.stop()
        await service.until(lambda: not service.ready(), 60)
        broker.start()
        await service.until(service.ready, 120)
        await service.write(100)
        await service.settled(200)
        await service.stop()
        return await cluster.read_all(broker.address, "gone.deid")

    released = asyncio.run(go())
    numbers = sorted(number_of(record.value) for record in released)
    assert numbers == [number for number in range(200) if number % 50]
    told = [(event["event"], event.get("address")) for event in service.events()]
    assert ("broker not reached", broker.address) in told
    assert service.process.returncode == 0


def test_an_adapter_stops_while_no_broker_answers(tmp_path, broker):
    """SIGTERM ends it with status 0, and its log has no line that is not one of its own."""
    service = Service(broker.address, "stopped", tmp_path)

    async def go():
        await service.begin(100)
        broker.stop()
        await service.until(lambda: not service.ready(), 60)
        return await service.stop()

    assert asyncio.run(go()) < 60
    lines = (tmp_path / "log").read_text().splitlines()
    assert (0, []) == (service.process.returncode, [n for n in lines if not n.startswith("{")])
    assert "stopped" == service.events()[-1]["event"]
