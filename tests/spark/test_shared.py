"""The ruleset that the daemon compiles: shared where it is the job's, and left alone otherwise."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.spark import daemon, shared, shared_memory
from adapter.spark import worker as workers
from adapter.spark.job import job
from adapter.spark.shared import DAEMON, VARIABLE, compile_shared
from tests.spark.feed import SECRET, feed

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def no_shared(monkeypatch):
    """A process whose daemon has compiled nothing; left as it was."""
    monkeypatch.setattr(shared, "_COMPILED", [])
    return monkeypatch


@pytest.fixture(scope="module")
def english(settings):
    """Settings of one language, which compile sooner."""
    rules = settings.rules.model_copy(update={"languages": ("en",)})
    return load_settings(None, rules=rules, keys=settings.keys, transport="files")


@pytest.fixture(scope="module")
def ruleset(english):
    """What the daemon compiles."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared, "_COMPILED", [])
        compile_shared(job(english, "lane", "none").settings)
        (found,) = shared._COMPILED
    return found


def compiled(calls, ruleset):
    """A compiler that records its calls."""

    def load(_settings):
        calls.append(1)
        return ruleset

    return load


def test_options_of_a_session_contain_no_key(settings):
    """Spark is told a module and where keys are, never a key; its settings are a job's."""
    options = shared_memory(settings)
    assert options[DAEMON] == "adapter.spark.daemon"
    text = "".join(options.values())
    for secret in (base64.b64encode(SECRET).decode(), SECRET.hex(), bytes(32).hex()):
        assert secret not in text
    assert str(settings.keys.surrogates.file) in text
    assert options[f"spark.executorEnv.{VARIABLE}"] == job(settings, "lane", "as-of").settings


def test_a_key_outside_a_file_is_refused(settings):
    """A key in the settings would be in Spark's configuration."""
    key = {"id": "test", "value": base64.b64encode(SECRET).decode()}
    own = load_settings(None, keys={"surrogates": key}, rules=settings.rules, transport="files")
    with pytest.raises(RuleError, match=r"keys\.surrogates"):
        shared_memory(own)


def test_a_worker_takes_the_ruleset_of_the_same_digest_and_key(english, ruleset, no_shared):
    """Nothing is compiled in the worker, for any partition or knowledge."""
    no_shared.setattr(shared, "_COMPILED", [ruleset])
    no_shared.setattr(workers, "load_ruleset", compiled(calls := [], ruleset))
    for partition, knowledge in (("lane", "as-of"), ("patient", "hindsight")):
        made = workers._made(job(english, partition, knowledge))
        assert made.process.ruleset is ruleset
    assert [] == calls


def test_without_a_shared_ruleset_a_worker_compiles(english, ruleset, no_shared):
    """Spark's own daemon is no obstacle."""
    no_shared.setattr(workers, "load_ruleset", compiled(calls := [], ruleset))
    assert workers._made(job(english, "lane", "as-of")).process.ruleset is ruleset
    assert [1] == calls


@pytest.mark.parametrize("other", ["digest", "secret", "id"])
def test_a_worker_of_other_rules_or_another_key_compiles(other, english, ruleset, no_shared):
    """What the daemon compiled for other settings, or with a key since replaced, is not used."""
    key = ruleset.surrogates.key
    changed = {
        "digest": replace(ruleset, digest="0" * 64),
        "secret": of_key(ruleset, replace(key, secret=bytes(32))),
        "id": of_key(ruleset, replace(key, id="other")),
    }[other]
    no_shared.setattr(shared, "_COMPILED", [changed])
    no_shared.setattr(workers, "load_ruleset", compiled(calls := [], ruleset))
    assert workers._made(job(english, "lane", "as-of")).process.ruleset is ruleset
    assert [1] == calls


def of_key(ruleset, key):
    """The ruleset with another key."""
    return replace(ruleset, surrogates=replace(ruleset.surrogates, key=key))


@pytest.mark.parametrize("text", ["", "{", '{"keys": {"surrogates": {"id": "k", "file": "/no"}}}'])
def test_a_daemon_that_cannot_compile_goes_on_and_quotes_nothing(text, no_shared, capfd):
    """Workers then compile themselves; standard output is Spark's, and no file is quoted."""
    no_shared.setenv(VARIABLE, text)
    daemon.prepare()
    out, err = capfd.readouterr()
    assert (out, shared._COMPILED) == ("", [])
    assert "/no" not in err
    assert bool(text) == ("adapter.spark.daemon: no shared ruleset" in err)


def test_a_daemon_keeps_standard_output_for_spark(no_shared, capfd):
    """Spark reads a port from it: what is printed while rules are compiled goes elsewhere."""
    no_shared.setenv(VARIABLE, "{}")
    no_shared.setattr(daemon, "compile_shared", print)
    daemon.prepare()
    assert ("", "{}\n") == tuple(capfd.readouterr())


JOB = """
import json, os, sys
from pathlib import Path
from pyspark.sql import SparkSession
from adapter.config.settings import load_settings
from adapter.spark import sanitize, shared_memory
from adapter.spark import worker as workers

config, source, out, other = sys.argv[1:]
settings = load_settings(Path(config), transport="files")
builder = SparkSession.builder.master("local[2]").config("spark.io.encryption.enabled", "true")
builder = builder.config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
builder = builder.config("spark.driver.bindAddress", "127.0.0.1")
builder = builder.config("spark.driver.memory", "768m")
for name, value in shared_memory(settings).items():
    builder = builder.config(name, value)
session = builder.getOrCreate()
df = session.read.parquet(source)

def told(batches):
    from adapter.spark import shared, worker
    import pyarrow as pa
    for _ in batches:
        pass
    for made in worker._WORKERS.values():
        ours = any(made.process.ruleset is each for each in shared._COMPILED)
        row = {"pid": [os.getpid()], "daemon": [os.getppid()], "ours": [ours]}
        yield pa.RecordBatch.from_pydict(row)

kinds = "pid long, daemon long, ours boolean"
rows = {}
for name in (config, other, config):
    chosen = load_settings(Path(name), transport="files")
    result = sanitize(df, chosen, tasks=2).collect()
    released = [row for row in result if row.outcome == "released"]
    released = {row.id: bytes(row.value or b"").hex() for row in released}
    found = df.repartition(2).mapInArrow(told, kinds).collect()
    rows[len(rows)] = {"released": released, "found": [list(row) for row in found]}
Path(out).write_text(json.dumps(rows))
session.stop()
"""


def table():
    """The feed as an Arrow table."""
    import pyarrow as pa  # noqa: PLC0415 - of the extra 'spark'

    header = pa.struct([("key", pa.string()), ("value", pa.binary())])
    kinds = (pa.string(), pa.int32(), pa.int64(), pa.binary(), pa.binary(), pa.list_(header))
    names = ("topic", "partition", "offset", "key", "value", "headers")
    rows = [
        (*(getattr(r.position, name) for name in names[:3]), r.key, r.value,
         [{"key": name, "value": value} for name, value in r.headers])
        for r in feed()
    ]  # fmt: skip
    columns = [
        pa.array(column, kind) for column, kind in zip(zip(*rows, strict=True), kinds, strict=True)
    ]
    return pa.table([*columns, pa.array([r.timestamp for r in feed()], pa.int64())],
                    names=[*names, "timestamp"])  # fmt: skip


@pytest.fixture(scope="module")
def runs(settings, tmp_path_factory):
    """Three jobs of one session: the daemon's settings, another key, the daemon's again."""
    reason = "SKIPPED FOR WANT OF PYSPARK: make spark-test"
    pytest.importorskip("pyspark.sql", reason=reason)
    parquet = pytest.importorskip("pyarrow.parquet", reason=reason)
    folder = tmp_path_factory.mktemp("shared")
    other = folder / "other-key"
    other.write_text(base64.b64encode(bytes(range(1, 33))).decode())
    other.chmod(0o600)
    configs = []
    for name, key in (("one", settings.keys.surrogates.file), ("two", other)):
        config = folder / f"{name}.toml"
        config.write_text(f"[keys.surrogates]\nid = 'test'\nfile = '{key}'\n")
        configs.append(str(config))
    source = str(folder / "in.parquet")
    parquet.write_table(table(), source)
    (folder / "job.py").write_text(JOB)
    command = [sys.executable, folder / "job.py", configs[0], source, folder / "out", configs[1]]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    unset = {name: value for name, value in os.environ.items() if "SPARK" not in name}
    environ = unset | {"PYTHONPATH": path, "PYSPARK_PYTHON": sys.executable}
    # a session of its own: Spark reads the daemon's module once
    with (
        (folder / "err").open("w") as err,
        subprocess.Popen(
            command, env=environ, cwd=folder, stdout=err, stderr=err, start_new_session=True
        ) as process,
    ):
        try:
            process.wait(400)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 0, (folder / "err").read_text()[-2000:]
    return [*json.loads((folder / "out").read_text()).values()]


def test_workers_of_the_daemon_give_the_bytes_of_the_single_machine(runs, expected):
    """In workers that compiled nothing, the first time and after a job of other settings."""
    single = {name: (value or b"").hex() for name, (_, value, _) in expected[0].items()}
    assert [single, single] == [runs[0]["released"], runs[2]["released"]]
    for run in (runs[0], runs[2]):
        assert run["found"]
        assert all(ours for _, _, ours in run["found"])


def test_a_job_of_another_key_is_compiled_anew(runs):
    """It has other surrogates, made by workers that do not use their daemon's ruleset."""
    assert runs[1]["released"].keys().isdisjoint(runs[0]["released"])
    assert runs[1]["found"]
    assert not any(ours for _, _, ours in runs[1]["found"])
    assert len({parent for run in runs for _, parent, _ in run["found"]}) == 1
