"""The commands of the mart: load folders, tell what is there, erase."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from adapter.cli import app
from adapter.errors import RuleError
from tests.mart.loading.outputs import oru, patient, write

pytest.importorskip("duckdb")
FILES = {
    "a.ndjson": [patient(n) + "\n" for n in range(3)],
    "b.hl7": [oru(n, n % 3, 100 + n) for n in range(6)],
}


@pytest.fixture
def mart(tmp_path):
    """Run a command of the mart over a folder that was loaded, with its settings beside it."""
    write(tmp_path / "out", FILES)
    config = tmp_path / "mart.toml"
    config.write_text('[mart]\nproject = "stroke"\nbatch_records = 2\n')

    def run(command, *arguments, status=0):
        found = CliRunner().invoke(app, ["mart", command, "-c", str(config), *arguments])
        if found.exception is not None and not isinstance(found.exception, SystemExit):
            raise found.exception
        assert status == found.exit_code
        return found.output

    assert "9 records read, 9 of them new" in run("load", "--from", str(tmp_path / "out"))
    assert (tmp_path / "mart.duckdb").exists()
    return run


def test_a_folder_is_loaded_once(mart, tmp_path):
    """A second load reads nothing; under another name all is read and nothing is new."""
    before = mart("check", "--digest")
    assert "0 records read, 0 of them new" in mart("load", "--from", str(tmp_path / "out"))
    again = mart("load", "--from", str(tmp_path / "out"), "--name", "again")
    assert "9 records read, 0 of them new" in again
    assert before.splitlines()[-1] == mart("check", "--digest").splitlines()[-1]
    assert "9 released" in before


def test_a_load_says_its_counts_alone(mart, tmp_path):
    """The exit of the program adds nothing on the standard error, such as leaks of a library."""
    mart("check")
    command = [sys.executable, "-m", "adapter", "mart", "load", "-c", tmp_path / "mart.toml"]
    command += ["--from", tmp_path / "out", "--name", "again"]
    ended = subprocess.run(command, capture_output=True, check=False)
    assert (0, b"9 records read, 0 of them new\n") == (ended.returncode, ended.stderr)


def test_a_person_is_erased(mart, tmp_path):
    """The numbers and versions are counted, and the digest stays what it is after a replay."""
    told = mart("erase", "MRN1", "--reason", "asked", "--yes")
    assert "numbers blocked" in told
    after = mart("check", "--digest").splitlines()[-1]
    mart("load", "--from", str(tmp_path / "out"), "--name", "again")
    assert after == mart("check", "--digest").splitlines()[-1]
    files = [path.read_bytes() for path in tmp_path.glob("mart.duckdb*")]
    assert (True, 0) == (len(files) > 0, sum(b"MRN1" in raw for raw in files))


def test_an_erasure_is_asked_about(mart):
    """Without --yes and without an answer nothing is erased."""
    mart("erase", "MRN1", "--reason", "asked", status=1)
    assert "0 numbers of erased persons" in mart("check")


def test_a_number_of_nothing_is_refused(mart):
    """The error names its place, not the number."""
    with pytest.raises(RuleError, match=r"^number 2: has no letter or digit$"):
        mart("erase", "MRN1", " - ", "--reason", "x", "--yes")


def test_topics_must_be_named(mart):
    """Without topics and folders there is nothing to load."""
    with pytest.raises(RuleError, match=r"^mart\.topics: is empty"):
        mart("load")


def release(mart, *arguments, **kinds):
    """Make a release of three persons, with a gate for as few."""
    return mart("release", *arguments, "--approved-by", "Dr. A. Steward", **kinds)


@pytest.fixture
def small(mart, tmp_path):
    """The mart with a gate that lets two persons through."""
    config = tmp_path / "mart.toml"
    gate = '[mart.release]\nminimum_cell = 2\nrounding = 1\nquasi_identifiers = ["patient.sex"]\n'
    config.write_text(config.read_text() + gate)
    return mart


def test_the_quality_report(mart):
    """Consumed is released and held, by day, source and kind; results without key are told."""
    lines = mart("report").splitlines()
    assert any("ORU^R01" in line and "6 released" in line for line in lines)
    assert any(line.startswith("all") and "9 consumed" in line for line in lines)
    found = json.loads(mart("report", "--json"))
    assert found["total"]["consumed"] == found["total"]["released"] + found["total"]["held"] == 9


def test_a_release_is_made_and_kept(small, tmp_path):
    """The release is a folder of tables and reports, and the store knows of it."""
    told = release(small, "first")
    assert "3 persons, 11 tables" in told
    rows = duckdb_rows(tmp_path / "releases" / "first" / "observation.parquet")
    assert 6 == len(rows)
    assert "release first" in small("check")
    assert "MRN1" not in (tmp_path / "releases" / "first" / "index.html").read_text()


def duckdb_rows(file):
    """The rows of a Parquet file."""
    return pytest.importorskip("duckdb").execute(f"FROM '{file}'").fetchall()


def test_a_second_release_asks_why(small):
    """Under the same key it needs a reason, which is kept."""
    release(small, "first")
    with pytest.raises(RuleError, match="first was made under the same key"):
        release(small, "second")
    assert "3 persons" in release(small, "second", "--accept", "one team has both")


def test_too_few_persons_are_not_released(mart, tmp_path):
    """With the usual gate three persons are too few, and nothing is there afterwards."""
    with pytest.raises(RuleError, match="has fewer than 11 persons in total"):
        release(mart, "first")
    assert [] == list((tmp_path / "releases").iterdir())


def test_a_release_without_approval(mart):
    """Nobody can leave out who approved it."""
    assert "approved-by" in mart("release", "first", status=2)
