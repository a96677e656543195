"""A topic that an adapter writes, deleted by somebody while it runs, and made again."""

from __future__ import annotations

import asyncio
import json

import pytest
from aiokafka.admin import AIOKafkaAdminClient

from adapter.sealing.quarantine import Sealer
from tests import processes
from tests.chaos.checker import Findings, Topics, account
from tests.chaos.load import number_of
from tests.chaos.service import Service
from tests.integration import cluster
from tests.integration.conftest import start_local

pytestmark = [pytest.mark.kafka, pytest.mark.slow]
BEFORE, ALL = 100, 200
"""Messages settled before a topic is deleted, and in total."""


@pytest.fixture(scope="module")
def strict(tmp_path_factory):
    """The address of a broker that creates no topic by itself."""
    started = start_local(tmp_path_factory.mktemp("strict"), "auto.create.topics.enable=false")
    if started is None:
        pytest.skip("NO KAFKA of its own: install Java 17 and Maven")
    address, stop = started
    yield address
    stop()


async def deleted(address, topic):
    """Delete a topic."""
    admin = AIOKafkaAdminClient(bootstrap_servers=address)
    await admin.start()
    try:
        await admin.delete_topics([topic])
    finally:
        await admin.close()


def escrowed(folder):
    """Environment variables of an adapter with an escrow."""
    ring = ["-m", "adapter", "keys", "ring", folder / "ring.json"]
    rotated = ["-m", "adapter", "keys", "rotate", folder / "ring.json", "--purpose", "escrow"]
    for command in (ring, [*rotated, "--private", folder / "officer.json"]):
        assert processes.run(command).returncode == 0
    return {
        "DEID_ADAPTER__KEYS__RING": str(folder / "ring.json"),
        "DEID_ADAPTER__ESCROW__ENABLED": "true",
    }


def failed_again(service, topic):
    """Whether the log names the topic of a batch that failed, and failed when it was retried."""
    failed = [each for each in service.events() if each["event"] == "lane failed"]
    return any(each["topic"] == topic and each["attempt"] > 1 for each in failed)


def places(records):
    """The places of audit and escrow records' messages."""
    entries = [json.loads(record.value) for record in records]
    return [(entry["partition"], entry["offset"]) for entry in entries]


def originals(held):
    """The places and values of held messages."""
    sealer = Sealer("q1", {"q1": cluster.KEY})
    opened = [sealer.open(envelope.value)[1] for envelope in held]
    return [((r.position.partition, r.position.offset), r.value) for r in opened]


async def settled_over_a_loss(service, topic):
    """Settle messages before and after a topic is lost; return the earlier ones and the lag."""
    await service.begin(BEFORE)
    early = await cluster.read_all(service.address, service.app)
    await deleted(service.address, topic)
    await service.write(ALL - BEFORE)
    await service.until(lambda: failed_again(service, topic), 60)
    behind = await service.behind()
    await cluster.make_topics(service.address, topic)
    await asyncio.wait_for(service.settled(ALL), 120)
    await service.stop()
    return {(record.partition, record.offset) for record in early}, behind


async def contents(service, *more):
    """The records of the service's topics, and of more of them."""
    names = (*service.topics, *(f"{service.app}.{each}" for each in more))
    return [await cluster.read_all(service.address, name) for name in names]


@pytest.mark.parametrize("lost", ["deid", "quarantine", "audit", "escrow"])
def test_nothing_is_settled_while_an_output_is_missing(strict, app, tmp_path, lost):
    """The log names the topic; made again, it gets all that was not settled, each once."""
    service = Service(strict, app, tmp_path, variables=escrowed(tmp_path))

    async def go():
        await cluster.make_topics(strict, f"{app}.escrow")
        early, behind = await settled_over_a_loss(service, f"{app}.{lost}")
        return early, behind, await contents(service, "escrow")

    early, behind, (source, released, held, audit, escrow) = asyncio.run(go())
    assert (behind > 0, 0) == (True, service.process.returncode)
    found = account(Topics(source, released, originals(held), places(audit)))
    malformed = {(r.partition, r.offset) for r in source if number_of(r.value) is None}
    gone = {
        "deid": Findings(lost=tuple(sorted(early - malformed))),
        "quarantine": Findings(lost=tuple(sorted(early & malformed))),
        "audit": Findings(misaudited=tuple(sorted(early))),
        "escrow": Findings(),
    }
    assert gone[lost] == in_order(found)
    every = {(r.partition, r.offset) for r in source} - malformed
    assert sorted(every - early if lost == "escrow" else every) == sorted(places(escrow))


def in_order(found):
    """Findings whose places are sorted."""
    kinds = found.counts()
    return Findings(**{kind: tuple(sorted(getattr(found, kind))) for kind in kinds})
