"""`python -m tests.bench.spark [COUNT ...]`: cost per message on a local Spark, and what it takes.

CPU is that of the Python workers alone, as each says of itself; bare is the same messages in one
process without Spark. Numbers of messages are those given, else 1,000 and 10,000.
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
SECRET = base64.b64encode(bytes(range(32))).decode()


def records(count):
    """Messages of the bench in four lanes; every eight of them have another record number."""
    for number in range(count):
        patient = b"%08d" % (number // 8)
        value = (ADT, ORU)[number % 2].replace(b"40088213", patient)
        yield Record(value, Position("in", number % LANES, number // LANES))


def spent():
    """CPU seconds of this process."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def metered(task, folder):
    """The task; each of its calls writes its CPU seconds and the process's most memory in MB."""

    def run(batches):
        from adapter.spark.worker import worker  # noqa: PLC0415 - in the worker

        worker(task.job)
        before = spent()
        yield from task(batches)
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        file = Path(folder) / f"{os.getpid()}-{time.monotonic_ns()}"
        file.write_text(f"{spent() - before} {memory}")

    return run


def bare(settings, count):
    """CPU ms a message in this process."""
    process = Deidentify(load_ruleset(settings))
    store = PatientStore(process.ruleset.fields)
    before = spent()
    for record in records(count):
        prepared, facts = process.prepare(record)
        process.finish(prepared, store.learn(record, facts, store.begin()))
    return (spent() - before) * 1000 / count


def on_spark(session, settings, count, folder):
    """(wall ms, CPU ms of the workers) a message, and most MB of a worker."""
    from adapter.spark import sanitize as package  # noqa: F401, PLC0415 - needs Spark
    from adapter.spark.job import job  # noqa: PLC0415
    from adapter.spark.rows import OUTPUT, ddl  # noqa: PLC0415
    from adapter.spark.sanitize import LANE, by_lane, columns  # noqa: PLC0415
    from adapter.spark.tasks import Lanes  # noqa: PLC0415

    rows = [(r.position.topic, r.position.partition, r.position.offset, r.value)
            for r in records(count)]  # fmt: skip
    source = str(folder / f"in-{count}")
    kinds = "topic string, partition int, offset long, value binary"
    session.createDataFrame(rows, kinds).write.parquet(source)
    figures = folder / f"figures-{count}"
    figures.mkdir()
    task = metered(Lanes(job(settings, "lane", "as-of")), str(figures))
    given = by_lane(columns(session.read.parquet(source)), 2, LANE)
    since = time.perf_counter()
    given.mapInArrow(task, ddl(OUTPUT)).write.parquet(str(folder / f"out-{count}"))
    wall = time.perf_counter() - since
    found = [tuple(map(float, file.read_text().split())) for file in figures.iterdir()]
    return (
        wall * 1000 / count,
        sum(cpu for cpu, _ in found) * 1000 / count,
        max(mb for _, mb in found),
    )


def main(counts):
    """Print a row for each count."""
    from pyspark.sql import SparkSession  # noqa: PLC0415 - of the extra 'spark'

    os.environ["PYSPARK_PYTHON"] = sys.executable
    folder = Path(tempfile.mkdtemp())
    key = folder / "key"
    key.write_text(SECRET)
    key.chmod(0o600)
    keys = {"surrogates": {"id": "bench", "file": str(key)}}
    settings = load_settings(None, keys=keys, transport="files")
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.io.encryption.enabled", "true")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.memory", "768m")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "256")
        .getOrCreate()
    )
    for count in counts:
        wall, cpu, memory = on_spark(session, settings, count, folder)
        print(f"{count:>7}: {wall:.2f} ms wall, {cpu:.2f} ms CPU of workers, {memory:.0f} MB")
    session.stop()
    one = bare(settings, min(counts))
    print(f"   bare: {one:.2f} ms CPU")


if __name__ == "__main__":
    main([int(text) for text in sys.argv[1:]] or [1_000, 10_000])
