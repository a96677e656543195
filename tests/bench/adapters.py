"""Messages a second of two adapters of one group, and of one, on the same two partitions.

    python -m tests.bench.adapters [--messages N] [--notes] [--cores SHARE]

With ``--notes`` the messages are ORU with a note of 300 words, of whose cost broker and client have
little, instead of ADT of 1 KB. With ``--cores`` each adapter may use only that share of a core, as
with a limit of Kubernetes, so that two adapters, broker and client do not compete for the cores of
a small machine. Takes KAFKA_BOOTSTRAP_SERVERS, else starts deploy/kafka-local. Each adapter has one
worker process, and its partitions before the messages are written, so rates leave out the start.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
import uuid
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Annotated

import typer

from adapter.train.command import command_of
from tests.bench.cpu_quota import cpu_quota
from tests.bench.kafka_throughput import (
    PATIENTS,
    ROOT,
    Options,
    adt,
    broker,
    cluster,
    none_held,
    settings_file,
    settled,
)
from tests.bench.messages import ORU

PARTITIONS = 2
BATCH, NOTES_BATCH = 200, 20
WAIT = 15.0
"""Seconds from the start of the adapters to the first message, for the group to settle."""


@asynccontextmanager
async def running(count, settings, cores):
    """Run adapters of one group, each with a share of a core if given, while the block runs."""
    with ExitStack() as quotas:
        processes = [await started(settings, cores, quotas) for _ in range(count)]
        try:
            await asyncio.sleep(WAIT / (cores or 1))
            yield processes
        finally:
            for process in processes:
                process.terminate()
            await asyncio.gather(*(process.wait() for process in processes))


async def started(settings, cores, quotas):
    """Start an adapter."""
    put = quotas.enter_context(cpu_quota(cores)) if cores else None
    script = ROOT / "tests/integration/adapter_process.py"
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(script), str(settings), stderr=asyncio.subprocess.DEVNULL
    )
    if put:
        put(process.pid)
    return process


async def rate(address, count, values, folder, *, batch, cores):
    """Return messages a second of some adapters, from their first commit to their last."""
    messages = len(values)
    app = f"bench{uuid.uuid4().hex[:8]}"
    names = [app, *(f"{app}.{kind}" for kind in ("deid", "quarantine", "audit"))]
    await cluster.make_topics(address, *names, partitions=PARTITIONS)
    settings = settings_file(folder, address, app, Options(messages, 1, batch, stand_in=False))
    texts = [(b"MRN77%04d" % (n % PATIENTS), value, ()) for n, value in enumerate(values)]
    async with running(count, settings, cores) as processes:
        writing = asyncio.create_task(cluster.write(address, app, texts))
        spent, done = await settled(address, app, messages, processes)
        await writing
        await none_held(address, app)
        return done / spent


def main(
    messages: Annotated[int, typer.Option(help="Messages for each measurement.")] = 10_000,
    *,
    notes: Annotated[bool, typer.Option("--notes", help="With notes.")] = False,
    cores: Annotated[float | None, typer.Option(help="Cores of an adapter; default: all.")] = None,
):
    """Measure one adapter before and after two, and print the rates and their ratio."""
    values = [ORU if notes else adt(number) for number in range(messages)]
    batch = NOTES_BATCH if notes else BATCH
    with broker() as address, tempfile.TemporaryDirectory() as folder:
        before, two, after = (
            asyncio.run(rate(address, count, values, Path(folder), batch=batch, cores=cores))
            for count in (1, 2, 1)
        )
    one = (before + after) / 2
    rates = {"one": [round(before, 1), round(after, 1)], "two": round(two, 1)}
    print(json.dumps(rates | {"ratio": round(two / one, 2)}))


if __name__ == "__main__":
    command_of(main)()
