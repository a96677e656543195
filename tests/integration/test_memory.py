"""A worker that runs out of memory on a real Kafka: killed by the kernel, or refused more."""

from __future__ import annotations

import asyncio
import signal
import urllib.request
from contextlib import contextmanager
from functools import partial

import pytest

from adapter.sealing.quarantine import Sealer
from tests.chaos.checker import Findings, Topics, account
from tests.chaos.load import long, number_of
from tests.chaos.memory_limits import ControlGroup, each_new, limit_addresses
from tests.chaos.service import Service
from tests.integration import cluster
from tests.integration.test_lost_topics import contents, originals, places

pytestmark = [pytest.mark.kafka, pytest.mark.slow]
MIB = 1 << 20
LIMIT, ROOM = 72 * MIB, 4 * MIB
"""Memory and addresses that a worker may get: more than some hundred short messages need."""
WARM, BESIDE = 300, 100
"""Short messages before the long one, and after it."""
LONG = 1_000_001
"""The number of the long message, whose texts need more than that."""


@contextmanager
def control_group(name):
    """A memory control group; the test is skipped where none can be made."""
    try:
        group = ControlGroup.made(name)
    except OSError:
        pytest.skip("NO CONTROL GROUPS of memory that this user may make: run it as root on Linux")
    try:
        yield group
    finally:
        group.remove()


async def out_of_memory(service, limit):
    """Settle messages, then a long one before others, while each worker is limited.

    Returns:
        the metric of replaced workers, and the records of all topics.
    """
    await service.begin(WARM)
    limiting = asyncio.create_task(each_new(service.process.pid, limit))
    try:
        await asyncio.sleep(1)
        await cluster.write(service.address, service.app, [long(LONG, MIB)])
        service.sent += 1
        await service.write(BESIDE)
        await asyncio.wait_for(service.settled(service.sent), 300)
        replaced = metric(service, "deid_worker_restarts")
    finally:
        limiting.cancel()
        await service.stop()
    return replaced, await contents(service, "state")


def metric(service, name):
    """The value of a metric without labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{service.port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))


def deaths(service):
    """Code and exit status of each worker that died, from the log."""
    died = [each for each in service.events() if each["event"] == "worker died"]
    return [(each["code"], each["status"]) for each in died]


def hold_of_the_long_one(seen):
    """Every message is out once, in order, the long one held; return how."""
    source, released, held, audit, state = seen
    sealed = originals(held)
    every = Topics(source, released, sealed, places(audit), [*held, *audit, *state])
    assert Findings() == account(every)
    sealer = Sealer("q1", {"q1": cluster.KEY})
    opened = [
        (number_of(value), sealer.open(each.value)[0])
        for each, (_, value) in zip(held, sealed, strict=True)
    ]
    ((number, at),) = [each for each in opened if each[0] is not None]
    assert (LONG, len(source) - len(held)) == (number, len(released))
    return f"{at.stage}/{at.code}"


def test_a_message_for_which_the_kernel_kills_its_worker_is_held(bootstrap, app, tmp_path):
    """The worker is replaced twice, in log and metric; then its message is held, no other one."""
    service = Service(bootstrap, app, tmp_path)
    with control_group(app) as group:
        group.limit(LIMIT)
        replaced, seen = asyncio.run(out_of_memory(service, group.take))
        assert group.kills() == 2
    assert [("died", -signal.SIGKILL)] * 2 == deaths(service)
    assert (2, 0) == (replaced, service.process.returncode)
    assert hold_of_the_long_one(seen) == "bug/unexpected"


def test_a_message_for_which_there_is_no_memory_is_held(bootstrap, app, tmp_path):
    """A refused allocation in a worker holds its message; the worker goes on."""
    service = Service(bootstrap, app, tmp_path)
    limit = partial(limit_addresses, more=ROOM)
    replaced, seen = asyncio.run(out_of_memory(service, limit))
    assert ([], 0, 0) == (deaths(service), replaced, service.process.returncode)
    assert hold_of_the_long_one(seen) in {"tag/failed", "bug/unexpected"}
