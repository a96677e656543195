"""``python -m tests.chaos.timings``: how long a start, a stop, a lost worker and a reload take.

Each under load on a real Kafka (`deploy/kafka-local`: Java 17 and Maven), ``--rounds`` times:
start to ready, SIGTERM to exit, and the longest time in which a lane with records waiting commits
nothing: undisturbed, around the SIGKILL of a worker, and around a reload of changed rules.
"""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
import time
from argparse import ArgumentParser
from collections import defaultdict
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from tests.chaos.fleet import descendants
from tests.chaos.service import Service
from tests.chaos.trial import Broker
from tests.integration.conftest import free_port

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

WINDOW = 10.0
"""Seconds of commits that are examined, undisturbed and after a kill."""
PROFILES = ("research", "limited-dataset")


def longest_pause(lines: Iterable[Mapping[str, object]], begin: float, end: float) -> float:
    """Return the longest time between ``begin`` and ``end`` in which a lane committed nothing.

    All lanes that have ever committed count, also one that commits nothing in that time.
    """
    by_lane: dict[object, list[float]] = defaultdict(list)
    for line in lines:
        if line["event"] == "committed":
            at = datetime.fromisoformat(str(line["timestamp"])).timestamp()
            by_lane[line["lane"]].append(min(max(at, begin), end))
    gaps = [
        after - before
        for times in by_lane.values()
        for before, after in pairwise((begin, *times, end))
    ]
    return max(gaps, default=0.0)


async def round_of(service: Service, number: int) -> dict[str, float]:
    """Measure one start, its disturbances and its stop, in seconds."""
    service.profile = PROFILES[0]
    service.start()
    found = {"start to ready": await service.until(service.ready)}
    busy = asyncio.create_task(service.kept_busy())
    try:
        await service.settled(service.sent + 200)
        spans = {"longest pause, undisturbed": await _undisturbed()}
        spans["longest pause, a worker killed"] = await _worker_killed(service)
        spans["longest pause, rules reloaded"] = await _reloaded(service)
        found |= {name: longest_pause(service.events(), *s) for name, s in spans.items()}
        found["SIGTERM to exit"] = await service.stop()
    finally:
        busy.cancel()
        await asyncio.gather(busy, return_exceptions=True)
    print(number, {name: round(seconds, 2) for name, seconds in found.items()}, flush=True)
    return found


async def _undisturbed() -> tuple[float, float]:
    begin = time.time()
    await asyncio.sleep(WINDOW)
    return begin, time.time()


async def _worker_killed(service: Service) -> tuple[float, float]:
    """SIGKILL a worker, the youngest process that the worker server has started."""
    assert service.process is not None
    begin = time.time()
    os.kill(max(descendants(service.process.pid)), signal.SIGKILL)
    await asyncio.sleep(WINDOW)
    return begin, time.time()


async def _reloaded(service: Service) -> tuple[float, float]:
    assert service.process is not None
    before = len(service.events())
    service.profile = PROFILES[1]
    service.write_settings()
    begin = time.time()
    service.process.send_signal(signal.SIGHUP)
    await service.until(
        lambda: any(line["event"] == "rules changed" for line in service.events()[before:])
    )
    await asyncio.sleep(WINDOW / 2)
    return begin, time.time()


async def measured(rounds: int, address: str, folder: Path) -> None:
    """Run the rounds, and print the median and the worst of each figure."""
    service = Service(address, f"timings{os.getpid()}", folder)
    await service.make_topics()
    found = [await round_of(service, number) for number in range(1, rounds + 1)]
    print(f"{'seconds':34}{'median':>8}{'worst':>8}")
    for name in found[0]:
        times = [each[name] for each in found]
        print(f"{name:34}{median(times):8.2f}{max(times):8.2f}")


def main() -> None:
    """Start a broker, and measure."""
    parser = ArgumentParser(prog="python -m tests.chaos.timings")
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory(prefix="timings-") as name:
        broker = Broker.local(Path(name), free_port())
        broker.start()
        try:
            asyncio.run(measured(rounds, broker.address, Path(name)))
        finally:
            broker.stop()


if __name__ == "__main__":
    main()
