"""A local Spark with small heaps, its logs, spill and checkpoints in folders that tests read."""

from __future__ import annotations

import base64
import os
import sys
from pathlib import Path

import pytest

from adapter.config.settings import load_settings
from tests.spark.feed import SECRET, feed, single_machine

ROOT = Path(__file__).resolve().parents[2]
COLUMNS = (
    "topic string, partition int, offset long, key binary, value binary,"
    " headers array<struct<key:string,value:binary>>, timestamp long"
)


@pytest.fixture(scope="session")
def traces(tmp_path_factory):
    """The folder of all that Spark writes beside its results."""
    folder = tmp_path_factory.mktemp("traces")
    for name in ("events", "spill", "checkpoint", "logs"):
        (folder / name).mkdir()
    return folder


@pytest.fixture(scope="session")
def spark(traces):
    """A local Spark of two cores that tries a task twice; skips, saying so, without PySpark."""
    sql = pytest.importorskip("pyspark.sql", reason="SKIPPED FOR WANT OF PYSPARK: make spark-test")
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    os.environ |= {"PYTHONPATH": path, "PYSPARK_PYTHON": sys.executable}
    logs = traces / "logs"
    (logs / "log4j2.properties").write_text(
        f"rootLogger.level=info\nrootLogger.appenderRef.file.ref=file\nappender.file.type=File\n"
        f"appender.file.name=file\nappender.file.fileName={logs}/spark.log\n"
        "appender.file.layout.type=PatternLayout\nappender.file.layout.pattern=%d %p %c %m%n%ex\n"
    )
    conf = {
        "spark.driver.memory": "768m",
        "spark.driver.extraJavaOptions": f"-Dlog4j2.configurationFile={logs}/log4j2.properties",
        "spark.io.encryption.enabled": "true",
        "spark.local.dir": str(traces / "spill"),
        "spark.eventLog.enabled": "true",
        "spark.eventLog.dir": f"file://{traces}/events",
        "spark.eventLog.compress": "false",
        "spark.sql.shuffle.partitions": "3",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "256",
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
    }
    builder = sql.SparkSession.builder.master("local[2,2]").appName("tests")
    for name, value in conf.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setCheckpointDir(str(traces / "checkpoint"))
    yield session
    session.stop()


@pytest.fixture(scope="session")
def settings(tmp_path_factory):
    """The shipped rules; keys in files, as a cluster mounts them."""
    folder = tmp_path_factory.mktemp("keys")
    keys = {}
    for name, key_id in (("surrogates", "test"), ("quarantine", "q1")):
        file = folder / name
        secret = SECRET if name == "surrogates" else bytes(32)
        file.write_text(base64.b64encode(secret).decode())
        file.chmod(0o600)
        keys[name] = {"id": key_id, "file": str(file)}
    return load_settings(None, keys=keys, transport="files")


@pytest.fixture(scope="session")
def expected():
    """What the single machine releases and holds."""
    return single_machine()


@pytest.fixture(scope="session")
def archive(spark, tmp_path_factory):
    """Make a data frame of records, read from Parquet."""

    def make(records=None):
        folder = str(tmp_path_factory.mktemp("archive") / "in")
        rows = [
            (r.position.topic, r.position.partition, r.position.offset, r.key, r.value,
             list(r.headers), r.timestamp)
            for r in (feed() if records is None else records)
        ]  # fmt: skip
        spark.createDataFrame(rows, COLUMNS).coalesce(2).write.parquet(folder)
        return spark.read.parquet(folder)

    return make
