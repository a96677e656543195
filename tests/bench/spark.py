"""`python -m tests.bench.spark [adt] [alone] [COUNT ...]`: cost per message on a local Spark.

CPU is that of the Python workers alone, as each says of itself; bare is the same messages in one
process without Spark. Numbers of messages are those given, else 1,000 and 10,000; with "adt" all
are admissions, which cost less, so that growth is seen over more of them. The ratio is paired: each
worker settles its rows bare, as a task and bare again.

Memory is PSS, in which a page shared by n processes counts 1/n for each; a worker's own are pages
that it shares with none. With "alone" Spark has its
own daemon, and each worker compiles the ruleset.
"""

from __future__ import annotations

import base64
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

from adapter.config.settings import load_settings
from adapter.rules.compile import load_ruleset
from adapter.runtime.patient_store import PatientStore
from adapter.runtime.service import Deidentify
from adapter.types import Position, Record
from tests.bench.messages import ADT, ORU

LANES = 4
PAIRED = 400
"""Messages of the paired ratio."""
SECRET = base64.b64encode(bytes(range(32))).decode()


def records(count, kinds=(ADT, ORU)):
    """Messages of the bench in four lanes; every eight of them have another record number."""
    for number in range(count):
        patient = b"%08d" % (number // 8)
        value = kinds[number % len(kinds)].replace(b"40088213", patient)
        yield Record(value, Position("in", number % LANES, number // LANES))


def spent():
    """CPU seconds of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def memory(pid, *kinds):
    """Memory of a process in MB: the sum of some kinds of smaps_rollup (`man 5 proc`)."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]
    sizes = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines}
    return sum(sizes[kind] for kind in kinds)


def metered(task, folder):
    """The task; each of its calls writes its CPU seconds and memory (PSS, own, the daemon's)."""

    def run(batches):
        from adapter.spark.worker import worker  # noqa: PLC0415 - in the worker

        worker(task.job)
        before = spent()
        yield from task(batches)
        used, file = spent() - before, Path(folder) / f"{os.getpid()}-{time.monotonic_ns()}"
        mine = memory("self", "Pss"), memory("self", "Private_Clean", "Private_Dirty")
        file.write_text(" ".join(map(str, (used, *mine, memory(os.getppid(), "Pss")))))

    return run


def paired(task, folder):
    """The task; each of its calls writes its CPU seconds, and those of the same rows bare."""

    def run(batches):
        from adapter.spark.rows import rows  # noqa: PLC0415 - in the worker
        from adapter.spark.worker import worker  # noqa: PLC0415

        process, given = worker(task.job).process, list(batches)
        sent = [row.record for row in rows(given, ())]
        first = settled(process, sent)
        before = spent()
        made = list(task(iter(given)))
        own = spent() - before
        without = (first + settled(process, sent)) / 2
        Path(folder, f"{os.getpid()}-{time.monotonic_ns()}").write_text(f"{own} {without}")
        yield from made

    return run


def settled(process, sent):
    """CPU seconds of settling records in this process, lane by lane."""
    before, lane, store = spent(), None, None
    for record in sent:
        if record.position.partition != lane:
            store, lane = PatientStore(process.ruleset.fields), record.position.partition
        prepared, facts = process.prepare(record)
        process.finish(prepared, store.learn(record, facts, store.begin()))
    return spent() - before


def bare(settings, count, kinds):
    """CPU ms a message in this process."""
    process = Deidentify(load_ruleset(settings))
    return settled(process, list(records(count, kinds))) * 1000 / count


def on_spark(session, settings, sent, folder, meter=metered):
    """Seconds of a job, and the figures that each call of its task wrote.

    ``sent`` is how many messages, and of which kinds.
    """
    count, kinds = sent
    from adapter.spark import sanitize as package  # noqa: F401, PLC0415 - needs Spark
    from adapter.spark.job import job  # noqa: PLC0415
    from adapter.spark.rows import OUTPUT, ddl  # noqa: PLC0415
    from adapter.spark.sanitize import LANE, by_lane, columns  # noqa: PLC0415
    from adapter.spark.tasks import Lanes  # noqa: PLC0415

    rows = [(r.position.topic, r.position.partition, r.position.offset, r.value)
            for r in records(count, kinds)]  # fmt: skip
    source = str(folder / f"in-{count}-{meter.__name__}")
    kinds = "topic string, partition int, offset long, value binary"
    session.createDataFrame(rows, kinds).write.parquet(source)
    figures = folder / f"figures-{count}-{meter.__name__}"
    figures.mkdir()
    task = meter(Lanes(job(settings, "lane", "as-of")), str(figures))
    given = by_lane(columns(session.read.parquet(source)), 2, LANE)
    since = time.perf_counter()
    given.mapInArrow(task, ddl(OUTPUT)).write.parquet(str(folder / f"out-{count}-{meter.__name__}"))
    wall = time.perf_counter() - since
    return wall, [tuple(map(float, file.read_text().split())) for file in figures.iterdir()]


def main(counts, kinds, *, alone):
    """Print a row for each count."""
    from pyspark.sql import SparkSession  # noqa: PLC0415 - of the extra 'spark'

    from adapter.spark.shared import shared_memory  # noqa: PLC0415

    os.environ["PYSPARK_PYTHON"] = sys.executable
    folder = Path(tempfile.mkdtemp())
    key = folder / "key"
    key.write_text(SECRET)
    key.chmod(0o600)
    keys = {"surrogates": {"id": "bench", "file": str(key)}}
    settings = load_settings(None, keys=keys, transport="files")
    builder = SparkSession.builder.master("local[2]")
    for name, value in ({} if alone else shared_memory(settings)).items():
        builder = builder.config(name, value)
    session = (
        builder.config("spark.io.encryption.enabled", "true")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "768m")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "256")
        .getOrCreate()
    )
    for count in counts:
        wall, found = on_spark(session, settings, (count, kinds), folder)
        cpu = sum(cpu for cpu, *_ in found) * 1000 / count
        most, own, daemon = (max(figures) for figures in list(zip(*found, strict=True))[1:])
        told = f"{wall:.1f} s wall, {cpu:.2f} ms CPU of workers a message"
        sizes = f"{most:.0f} a worker ({own:.0f} its own), {daemon:.0f} the daemon"
        print(f"{count:>7}: {told}; MB: {sizes}", flush=True)
    _, found = on_spark(session, settings, (PAIRED, kinds), folder, paired)
    own, without = (sum(figures) for figures in zip(*found, strict=True))
    print(f" paired: {own * 1000 / PAIRED:.2f} ms CPU of a task, {own / without:.2f} x bare")
    session.stop()
    one = bare(settings, min(counts), kinds)
    print(f"   bare: {one:.2f} ms CPU")


if __name__ == "__main__":
    given = sys.argv[1:]
    numbers = [int(text) for text in given if text.isdigit()]
    main(numbers or [1_000, 10_000], (ADT,) if "adt" in given else (ADT, ORU),
         alone="alone" in given)  # fmt: skip
