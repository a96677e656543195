"""The commands of the mart: load folders, tell what is there, erase."""

from __future__ import annotations

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
    with pytest.raises(RuleError, match=r"^mart\.topics: names no topic"):
        mart("load")
