"""The topic of patient memory, deleted by somebody while an adapter runs."""

from __future__ import annotations

import asyncio

import pytest

from tests.chaos.checker import Findings, Topics, account
from tests.chaos.service import Service
from tests.integration import cluster
from tests.integration.test_lost_topics import ALL, BEFORE, contents, deleted, originals, places
from tests.integration.test_patient_store import PATIENT, cleanup_policy
from tests.story import feed

pytestmark = [pytest.mark.kafka, pytest.mark.slow]
TOLD = 7
"""Messages of the story that are settled before its memory is deleted."""
EMPTY = "nothing known of settled messages"


def naming(service, topic):
    """The events of the log that name the topic, with their codes."""
    return [
        (each["event"], each.get("code")) for each in service.events() if topic == each.get("topic")
    ]


async def restarted(service, count):
    """Stop the adapter, start it again, and have it settle further messages."""
    await service.stop()
    service.start()
    await service.until(service.ready)
    await service.write(count)
    await asyncio.wait_for(service.settled(service.sent), 120)


def test_a_deleted_memory_costs_no_message(bootstrap, app, tmp_path):
    """The adapter makes the topic again and says that nothing is known; a restart works too."""
    service, state = Service(bootstrap, app, tmp_path), f"{app}.state"

    async def go():
        await service.begin(BEFORE)
        await deleted(bootstrap, state)
        await service.write(ALL - BEFORE)
        await asyncio.wait_for(service.settled(ALL), 120)
        named = naming(service, state)
        await restarted(service, BEFORE)
        await service.stop()
        return named, await cleanup_policy(bootstrap, state), await contents(service, "state")

    named, policy, (source, released, held, audit, kept) = asyncio.run(go())
    seen = Topics(source, released, originals(held), places(audit), [*held, *audit, *kept])
    assert Findings() == account(seen)
    assert {("lane failed", "no-topic"), (EMPTY, None)} <= set(named)
    assert ("compact", 0) == (policy, service.process.returncode)
    assert kept


async def story_without_memory(service):
    """What is released of the story by an adapter whose memory is deleted amid it."""
    await service.make_topics()
    service.start()
    await service.until(service.ready)
    for names in (feed.NAMES[:TOLD], feed.NAMES[TOLD:]):
        messages = [(PATIENT, (feed.MESSAGES / name).read_bytes(), ()) for name in names]
        await cluster.write(service.address, service.app, messages)
        service.sent += len(messages)
        await asyncio.wait_for(service.settled(service.sent), 120)
        if len(names) == TOLD:
            await deleted(service.address, f"{service.app}.state")
    await service.stop()
    released = await cluster.read_all(service.address, f"{service.app}.deid")
    return [record.value for record in released]


def test_after_the_loss_a_patient_is_a_new_one(bootstrap, app, tmp_path):
    """Later messages are released as by an adapter that never saw the earlier ones."""
    released = asyncio.run(story_without_memory(Service(bootstrap, app, tmp_path)))
    later = feed.broker(feed.NAMES[TOLD:])
    feed.run(later)
    golden = [(feed.RELEASED / name).read_bytes() for name in feed.NAMES]
    assert golden[:TOLD] == released[:TOLD]
    assert feed.released(later) == released[TOLD:] != golden[TOLD:]
