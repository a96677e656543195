"""The machine's clock is set while an adapter runs on a real Kafka; the monotonic clock goes on.

The adapter and its processes see the clock of libfaketime, the broker sees the real one.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from tests.chaos.checker import Findings, Topics, account
from tests.chaos.fleet import descendants
from tests.chaos.load import long
from tests.chaos.service import Service
from tests.integration import cluster
from tests.integration.test_lost_topics import contents, originals, places

pytestmark = [pytest.mark.kafka, pytest.mark.slow]
DAY_MS = 86_400_000
PORTION = 100
"""Messages written between two settings of the clock."""
LONG, LENGTH = 1_000_000, 512 << 10
"""Number of the first of the longer messages, on which a worker spends seconds, and their bytes."""
SOON = 60
"""Seconds within which a portion is settled after the clock was set, on a busy machine too."""
ANY_TIME = {"message.timestamp.after.max.ms": str(7 * DAY_MS)}
"""Has a topic accept records of a later time than the broker's, as if its clock had jumped too."""


class Clock:
    """The clock of a service's processes: the real one, and an offset that can be set."""

    def __init__(self, folder):
        """Begin without an offset."""
        self._file = folder / "clock"
        self.set("+0")

    def set(self, offset):
        """Set the clock to the real time and an offset such as "-1d"."""
        self._file.with_suffix(".new").write_text(f"{offset}\n")
        self._file.with_suffix(".new").replace(self._file)

    def variables(self):
        """The environment of processes that see this clock; the test is skipped without it."""
        found = sorted(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"))
        if not found:
            pytest.skip("NO FAKE CLOCK: install libfaketime (Debian's package faketime)")
        return {
            "LD_PRELOAD": str(found[0]),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "DONT_FAKE_MONOTONIC": "1",
            "DEID_ADAPTER__KAFKA__SESSION_TIMEOUT_MS": "30000",  # a busy machine can stall for 10 s
        }


async def made(service, configs):
    """Create the topics of a service, the one of its memory too, with these settings."""
    await cluster.make_topics(service.address, *service.topics, configs=configs)
    compacted = configs | {"cleanup.policy": "compact"}
    await cluster.make_topics(service.address, f"{service.app}.state", configs=compacted)


async def started(service):
    """Start the adapter, and have it settle a portion; all its processes have the fake clock."""
    service.start()
    await service.until(service.ready)
    await service.write(PORTION)
    await service.settled(service.sent)
    return faked(service.process.pid)


def faked(adapter):
    """Whether an adapter, its fork server and its worker have the fake clock."""
    own = [adapter, *descendants(adapter)]
    assert len(own) > 2
    return all("libfaketime" in Path(f"/proc/{pid}/maps").read_text() for pid in own)


async def set_amid(service, clock, offset):
    """Set the clock while a worker is busy, and settle all, which must be done soon."""
    await cluster.write(service.address, service.app, [long(LONG + service.sent, LENGTH)])
    service.sent += 1
    await service.write(PORTION)
    await asyncio.sleep(1.5)
    assert await service.behind()
    clock.set(offset)
    await asyncio.wait_for(service.settled(service.sent), SOON)


def complete(seen):
    """Each message is out once, in order, in an audit whose chains are whole; no worker died."""
    source, released, held, audit, state = seen
    every = Topics(source, released, originals(held), places(audit), [*held, *audit, *state])
    problems, lengths = cluster.chains(audit)
    assert (Findings(), [], len(source)) == (account(every), problems, sum(lengths))


@pytest.mark.parametrize("jump", ["+1d", "-1d"])
def test_lanes_go_on_when_the_clock_is_set(bootstrap, app, tmp_path, jump):
    """A clock set by a day and back stops no lane; audit times follow it, the chain's order not."""
    clock = Clock(tmp_path)
    service = Service(bootstrap, app, tmp_path, variables=clock.variables())

    async def go():
        await made(service, ANY_TIME)
        all_faked = await started(service)
        for offset in (jump, "+0"):
            await set_amid(service, clock, offset)
        await service.stop()
        return all_faked, await contents(service, "state")

    all_faked, seen = asyncio.run(go())
    assert (True, 0) == (all_faked, service.process.returncode)
    complete(seen)
    events = [each["event"] for each in service.events()]
    assert not {"worker died", "lane failed", "group left", "broker not reached"} & set(events)
    assert {"real", jump} == set(clocks_of(seen))


def clocks_of(seen):
    """For each audit record in chain order: the clock by which it was written."""
    sent = {(r.partition, r.offset): r.timestamp for r in seen[0]}
    for entry in (json.loads(record.value) for record in seen[3]):
        later = entry["time_ms"] - sent[entry["partition"], entry["offset"]]
        yield {0: "real", 1: "+1d", -1: "-1d"}[round(later / DAY_MS)]


def test_a_clock_ahead_of_the_broker_settles_nothing(bootstrap, app, tmp_path):
    """The broker refuses records of tomorrow: the log says so; all is settled once it is set."""
    clock = Clock(tmp_path)
    service = Service(bootstrap, app, tmp_path, variables=clock.variables())

    async def go():
        await made(service, {})
        all_faked = await started(service)
        clock.set("+1d")
        await service.write(PORTION)
        await service.until(lambda: refusals(service) and not service.ready(), 60)
        behind = await service.behind()
        clock.set("+0")
        await asyncio.wait_for(service.settled(service.sent), 60)
        await service.write(PORTION)
        await asyncio.wait_for(service.settled(service.sent), SOON)
        await service.stop()
        return all_faked, behind, await contents(service, "state")

    all_faked, behind, seen = asyncio.run(go())
    assert (True, PORTION, 0) == (all_faked, behind, service.process.returncode)
    complete(seen)
    assert {"real"} == set(clocks_of(seen))
    named = {topic for _, topic in refusals(service)}
    assert named
    assert named <= {f"{app}.{each}" for each in ("deid", "quarantine", "audit", "state")}


def refusals(service):
    """Lane and topic of each failure because of the clock, from the log."""
    failed = [each for each in service.events() if each["event"] == "lane failed"]
    return [(e["lane"], e["topic"]) for e in failed if e["reason"] == "INVALID_TIMESTAMP"]
