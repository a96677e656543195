"""A release that was stopped on the way is completed or undone by the next run."""

from __future__ import annotations

import datetime as dt
import hashlib
from pathlib import Path

import pytest
from typer.testing import CliRunner

from adapter.cli import app
from adapter.errors import RuleError
from adapter.mart.release.files import alone
from adapter.mart.release.pending import Pending, note
from adapter.mart.release.postgres import ReleaseSchema
from adapter.mart.store.protocol import ReleaseRow
from adapter.mart.store.registry import open_store
from tests import processes
from tests.mart.loading.outputs import oru, patient, write
from tests.mart.release.stopped_process import DIED
from tests.postgres import postgres

psycopg = pytest.importorskip("psycopg")
SCRIPT = Path(__file__).parent / "stopped_process.py"
FILES = {
    "a.ndjson": [patient(n) + "\n" for n in range(3)],
    "b.hl7": [oru(n, n % 3, 100 + n) for n in range(6)],
}
GATE = "minimum_cell = 2\nrounding = 1\nquasi_identifiers = ['patient.sex']\n"


@pytest.fixture(scope="module")
def server():
    """The address of a server."""
    with postgres() as (url, _):
        yield url


@pytest.fixture
def config(tmp_path):
    """The settings of a mart that is loaded, whose releases are folders."""
    write(tmp_path / "out", FILES)
    file = tmp_path / "mart.toml"
    file.write_text(f"[mart]\nproject = 'stroke'\n[mart.release]\n{GATE}")
    call(file, "load", "--from", str(tmp_path / "out"))
    return file


def call(config, command, *arguments):
    """Run a command of the mart; what it prints."""
    found = CliRunner().invoke(app, ["mart", command, "-c", str(config), *arguments])
    if found.exception is not None:
        raise found.exception
    return found.output


def release(config, name="first", *arguments):
    """Make a release."""
    return call(config, "release", name, "--approved-by", "Dr. A. Steward", *arguments)


def die(config, step):
    """Have a release end at a step."""
    assert DIED == processes.run([SCRIPT, config, step]).returncode


def kept(config):
    """The names of the releases that the store knows."""
    store = open_store(f"duckdb:///{config.parent / 'mart.duckdb'}", "stroke")
    names = [row.name for row in store.releases()]
    store.close()
    return names


def there(config):
    """What lies in the folder of releases, hidden files too."""
    return sorted(path.name for path in (config.parent / "releases").iterdir())


def schemas(url):
    """The schemas of the database that are releases, and their comments."""
    with psycopg.connect(url) as connection:
        told = connection.execute(
            "SELECT nspname, obj_description(oid, 'pg_namespace') FROM pg_namespace"
            " WHERE nspname !~ '^(pg_|information_schema|public)'"
        )
        return dict(told.fetchall())


@pytest.mark.parametrize("step", ["written", "noted", "named", "kept"])
def test_a_stopped_release_of_files(config, step):
    """It is undone before it has its name, and completed after; then there is one release."""
    die(config, step)
    if step == "noted":
        (record,) = (config.parent / "releases").glob("*.pending")
        assert 0o600 == record.stat().st_mode & 0o777
    told = release(config)
    assert (["first"], ["first"]) == (kept(config), there(config))
    assert ("had been interrupted" in told) == (step != "written")
    assert ("is now complete" in told) == (step in {"named", "kept"})


@pytest.mark.parametrize("step", ["noted", "committed"])
def test_a_stopped_release_into_postgresql(config, server, step):
    """Once its schema is committed it is completed, whatever else was missing; before, undone."""
    url = f"{server}&dbname={step}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {step}")
    config.write_text(f"{config.read_text()}url = '{url}'\n")
    die(config, step)
    told = release(config)
    assert ("is now complete" if step == "committed" else "has been undone") in told
    manifest = (config.parent / "releases" / "first" / "manifest.json").read_bytes()
    comment = f"release with the manifest {hashlib.sha256(manifest).hexdigest()}"
    assert (["first"], ["first"]) == (kept(config), there(config))
    assert {"first": comment} == schemas(url)
    with pytest.raises(RuleError, match="already exists"):
        release(config)


def test_another_release_settles_it_first(config):
    """What was published counts as made before the gate is asked about the next one."""
    die(config, "named")
    with pytest.raises(RuleError, match="first was made under the same key"):
        release(config, "second")
    assert ["first"] == kept(config)


def test_what_cannot_be_told_stays(config, server):
    """Without its database, or its reports, a release is neither completed nor undone."""
    folder, plain = config.parent / "releases", config.read_text()
    url = f"{server}&dbname=untold"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE untold")
    config.write_text(f"{plain}url = '{url}'\n")
    die(config, "committed")
    before = there(config)
    for other in ("", "url = 'postgresql:///x?host=/nonexistent'\n"):
        config.write_text(plain + other)
        with pytest.raises(RuleError, match=r"^mart\.release\.url"):
            release(config)
        assert (before, []) == (there(config), kept(config))
    config.write_text(f"{plain}url = '{url}'\n")
    (folder / ".first.partial").rename(folder / ".away")
    with pytest.raises(RuleError, match="its reports are gone; drop the schema"):
        release(config)
    with psycopg.connect(url) as connection:
        connection.execute("DROP SCHEMA first CASCADE")
    assert "has been undone" in release(config)
    assert ["first"] == kept(config)


def test_a_lost_answer_is_settled(config, server, monkeypatch):
    """A database that commits and does not answer leaves a release that the next run completes."""
    url = f"{server}&dbname=lost"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE lost")
    config.write_text(f"{config.read_text()}url = '{url}'\n")
    whole = ReleaseSchema.write

    def lost(*arguments):
        whole(*arguments)
        raise RuleError("mart.release.url", "PostgreSQL: OperationalError")

    with monkeypatch.context() as patched:
        patched.setattr(ReleaseSchema, "write", lost)
        with pytest.raises(RuleError, match="OperationalError"):
            release(config)
    assert "is now complete" in release(config)
    assert (["first"], ["first"]) == (kept(config), there(config))


def test_one_at_a_time(config):
    """Two releases into one folder would take each other's for stopped ones."""
    with (
        alone(config.parent / "releases"),
        pytest.raises(RuleError, match="another release is being made in this folder"),
    ):
        release(config)


def test_another_projects_release_is_left_alone(config):
    """It is that project's to settle; its name is taken meanwhile."""
    folder = config.parent / "releases"
    folder.mkdir()
    row = ReleaseRow("first", dt.date(2026, 11, 22), "k1", 3, "Dr. B. Steward", "{}")
    note(folder, Pending(row, "other", "0" * 64, in_schema=False))
    before = there(config)
    with pytest.raises(RuleError, match="was begun by another project"):
        release(config)
    assert before == there(config)


def test_a_record_that_cannot_be_read_is_named(config):
    """Nobody can tell then what was published."""
    (config.parent / "releases").mkdir()
    (config.parent / "releases" / ".x.pending").write_text("{")
    with pytest.raises(RuleError, match=r"\.x\.pending: is not a record of a release"):
        release(config)
