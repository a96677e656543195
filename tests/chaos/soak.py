"""``python -m tests.chaos.soak --minutes 40 --load 0.7``: a steady load, and what grows in it.

First the capacity is measured (as fast as it goes, for ``--warm-up`` seconds), then messages come
at that share of it. Printed are memory, lag and latency of the first and the last quarter, and
latency of the first minute of that load; latency is from the record's timestamp to its audit
record, read back from the topics. Ends with 1 where memory grew by more than a tenth, or lag by
more than two seconds of load, or a message was lost or doubled. Needs the broker of
`deploy/kafka-local` (Java 17 and Maven).
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, NamedTuple

from tests.chaos.service import Service
from tests.chaos.trial import Broker
from tests.integration import cluster
from tests.integration.conftest import free_port

if TYPE_CHECKING:
    from collections.abc import Sequence

LOOK = 5.0
"""Seconds between two measurements of memory and lag."""
GROWTH, LAG_SECONDS = 1.1, 2.0
MINUTE = 60_000
"""Milliseconds, as in timestamps."""


class Latency(NamedTuple):
    """The latency of one record."""

    sent: int
    """Its timestamp in milliseconds."""
    seconds: float


@dataclass(slots=True)
class Looks:
    """The measurements of a run."""

    memory: list[int] = field(default_factory=list)
    lag: list[int] = field(default_factory=list)


def quarters(values: Sequence[float]) -> tuple[float, float]:
    """Return the medians of the first and the last quarter."""
    part = max(1, len(values) // 4)
    return median(values[:part]), median(values[-part:])


def percentiles(values: Sequence[float]) -> tuple[float, float]:
    """Return the 50th and the 99th percentile."""
    cuts = quantiles(values, n=100)
    return cuts[49], cuts[98]


def first_minute(latencies: Sequence[Latency]) -> list[Latency]:
    """Return those of records sent less than a minute after the first one."""
    began = min((each.sent for each in latencies), default=0)
    return [each for each in latencies if each.sent < began + MINUTE]


async def capacity(service: Service, seconds: float) -> float:
    """Return the messages per second that it settles while more are waiting."""
    busy = asyncio.create_task(service.kept_busy(2000))
    try:
        await service.settled(service.sent + 500)
        since, before = time.monotonic(), service.sent - await service.behind()
        await asyncio.sleep(seconds)
        done = service.sent - await service.behind() - before
        return done / (time.monotonic() - since)
    finally:
        busy.cancel()
        await asyncio.gather(busy, return_exceptions=True)


async def paced(service: Service, rate: float, seconds: float, looks: Looks) -> None:
    """Write at a rate, in ten portions a second, and measure at intervals."""
    since = look = time.monotonic()
    before = service.sent
    while (spent := time.monotonic() - since) < seconds:
        due = round(rate * spent) - (service.sent - before)
        if due > 0:
            await service.write(due)
        if time.monotonic() >= look:
            look += LOOK
            looks.memory.append(service.memory())
            looks.lag.append(await service.behind())
        await asyncio.sleep(0.1)


async def latencies(service: Service, first: int) -> tuple[list[Latency], int]:
    """Return latencies from the record ``first`` on, as sent; and how many have not one record."""
    source = await cluster.read_all(service.address, service.topics[0])
    audit = await cluster.read_all(service.address, service.topics[3])
    entries = [json.loads(record.value) for record in audit]
    times = {(each["partition"], each["offset"]): each["time_ms"] for each in entries}
    counted = Counter((each["partition"], each["offset"]) for each in entries)
    wrong = sum(counted[record.partition, record.offset] != 1 for record in source)
    ordered = sorted(source, key=lambda record: (record.timestamp, record.partition))[first:]
    spent = [(r.timestamp, times[r.partition, r.offset] - r.timestamp) for r in ordered]
    return [Latency(sent, milliseconds / 1000) for sent, milliseconds in spent], wrong


async def soaked(options: Namespace, address: str, folder: Path) -> int:
    """Run the soak, and print the figures; return 1 if one grew or a message is missing."""
    service = Service(address, f"soak{os.getpid()}", folder, processes=options.processes)
    await service.make_topics()
    service.start()
    await service.until(service.ready)
    rate = options.rate or options.load * await capacity(service, options.warm_up)
    await service.settled(service.sent)
    first, looks = service.sent, Looks()
    print(f"{rate:.0f} messages/s for {options.minutes:g} min", flush=True)
    await paced(service, rate, 60 * options.minutes, looks)
    await service.settled(service.sent)
    stopped = await service.stop()
    spent, wrong = await latencies(service, first)
    part = len(spent) // 4
    memory, lag = quarters(looks.memory), quarters(looks.lag)
    print(f"messages {len(spent)}; lost or doubled {wrong}; stop {stopped:.1f} s")
    print(f"memory   {memory[0] / 2**20:.0f} -> {memory[1] / 2**20:.0f} MiB")
    print(f"lag      {lag[0]:.0f} -> {lag[1]:.0f} records")
    parts = {
        "first minute": first_minute(spent),
        "first quarter": spent[:part],
        "last quarter": spent[-part:],
    }
    for name, values in parts.items():
        p50, p99 = percentiles([each.seconds for each in values])
        print(f"latency  {name}: p50 {p50:.2f} s, p99 {p99:.2f} s")
    grew = memory[1] > GROWTH * memory[0] or lag[1] > lag[0] + LAG_SECONDS * rate
    return 1 if grew or wrong else 0


def main() -> int:
    """Start a broker, and run the soak."""
    parser = ArgumentParser(prog="python -m tests.chaos.soak")
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--load", type=float, default=0.7, help="share of the capacity")
    parser.add_argument("--rate", type=float, default=0, help="messages a second, instead")
    parser.add_argument("--warm-up", type=float, default=30, help="seconds to measure capacity in")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="soak-") as name:
        broker = Broker.local(Path(name), free_port())
        broker.start()
        try:
            return asyncio.run(soaked(options, broker.address, Path(name)))
        finally:
            broker.stop()


if __name__ == "__main__":
    sys.exit(main())
