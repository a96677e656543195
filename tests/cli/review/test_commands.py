"""The console's commands: tables, people, figures, events; none needs a browser."""

from __future__ import annotations

import json
import sqlite3

import pytest
from typer.testing import CliRunner

from adapter.cli import app
from adapter.cli.review import server
from adapter.errors import RuleError


def run(*arguments):
    """Run a command; what it says, and its status."""
    done = CliRunner().invoke(app, [str(each) for each in arguments])
    if isinstance(done.exception, RuleError):
        raise done.exception
    return done


@pytest.fixture
def config(tmp_path):
    """Settings with a ring that has a key for the console."""
    ring = tmp_path / "ring.json"
    run("keys", "ring", ring)
    run("keys", "rotate", ring, "--purpose", "review")
    file = tmp_path / "adapter.toml"
    file.write_text('transport = "files"\n[keys]\nring = "ring.json"\n', "utf-8")
    assert run("review", "init", "--config", file).exit_code == 0
    return file


@pytest.fixture
def audited(config):
    """The same settings with an audit file."""
    with config.open("a", encoding="utf-8") as file:
        file.write('[files]\naudit = "audit.jsonl"\n')
    return config


def accesses(config):
    """The access records of the audit file, which `audit verify` has checked."""
    assert run("audit", "verify", "--config", config).exit_code == 0
    lines = (config.parent / "audit.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line)["access"] for line in lines]


def test_without_a_key_it_says_which_is_missing(tmp_path):
    """An older ring has none of this purpose: the command that makes one is named."""
    run("keys", "ring", tmp_path / "ring.json")
    file = tmp_path / "adapter.toml"
    file.write_text('[keys]\nring = "ring.json"\n', "utf-8")
    with pytest.raises(RuleError, match="rotate --purpose review"):
        run("review", "init", "--config", file)
    assert not (tmp_path / "review.sqlite").exists()


def test_people_are_added_once_and_with_a_role(config):
    """The one-time log-in is printed; a taken name and an unknown role are refused."""
    done = run("review", "people", "add", "ann", "--role", "annotator", "--config", config)
    assert len(done.stdout.strip()) == 20
    with pytest.raises(RuleError, match="taken"):
        run("review", "people", "add", "ann", "--role", "officer", "--config", config)
    with pytest.raises(RuleError, match="annotator, officer, auditor, admin"):
        run("review", "people", "add", "ben", "--role", "king", "--config", config)


def test_verify_prints_the_head_and_finds_what_was_changed(config, tmp_path):
    """Status 0 while nothing is wrong; else 1, with the event's number."""
    run("review", "people", "add", "ann", "--role", "annotator", "--config", config)
    done = run("review", "verify", "--config", config)
    assert (0, "nothing wrong" in done.stderr) == (done.exit_code, True)
    head = tmp_path / "head.txt"
    head.write_text(done.stdout, "utf-8")
    assert run("review", "verify", "--config", config, "--expect", head).exit_code == 0
    with sqlite3.connect(tmp_path / "review.sqlite") as connection:
        connection.execute("DELETE FROM review_event WHERE number = 2")
    done = run("review", "verify", "--config", config, "--expect", head)
    assert (1, True) == (done.exit_code, "problems" in done.stderr)


def test_figures_and_plans(config):
    """Without a sample there is no figure; a plan needs no store."""
    assert "no sample" in run("review", "report", "--config", config).stdout
    done = run("review", "sample", "--plan", "0.985", "--config", config)
    assert done.stdout.startswith("about 2853 mentions in 55 messages")
    with pytest.raises(RuleError, match="truth"):
        run("review", "sample", "--plan", "0.999", "--config", config)
    with pytest.raises(RuleError, match="--recall"):
        run("review", "sample", "--config", config)


def test_an_export_is_not_put_over_other_files(config, tmp_path):
    """A folder with other things in it is left alone, and so are rules that are there."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "precious.txt").write_text("x", "utf-8")
    with pytest.raises(RuleError, match="other files"):
        run("review", "export", "--config", config, "--out", other)
    with pytest.raises(RuleError, match="was not written by"):
        run("review", "apply", other, "--config", config, "--out", tmp_path / "rules")


def test_an_export_is_recorded_in_the_audit_or_not_made(audited, tmp_path):
    """Its files have original text; where the record cannot be written there are none."""
    assert run("review", "export", "-c", audited, "-o", tmp_path / "out").exit_code == 0
    assert ["review export"] == accesses(audited)
    (tmp_path / "audit.jsonl").unlink()
    (tmp_path / "audit.jsonl").mkdir()
    again = ["review", "export", "-c", str(audited), "-o", str(tmp_path / "other")]
    assert CliRunner().invoke(app, again).exit_code == 1
    assert not (tmp_path / "other").exists()


def test_a_console_with_an_audit_records_in_it(audited, monkeypatch):
    """From its start on, whose record shows that the audit can be written."""
    monkeypatch.setattr(server, "run", lambda made, _settings: made.record("review view", "test"))
    assert "keep no audit" not in run("review", "serve", "-c", audited).stderr
    assert ["review serve", "review view"] == accesses(audited)
    (audited.parent / "audit.jsonl").unlink()
    (audited.parent / "audit.jsonl").mkdir()
    with pytest.raises(RuleError, match="audit: the record cannot be written"):
        run("review", "serve", "-c", audited)


def test_a_console_without_an_audit_says_so(config, monkeypatch):
    """It serves as before, with its own events alone."""
    made = []
    monkeypatch.setattr(server, "run", lambda console, _settings: made.append(console.record))
    assert "the settings keep no audit" in run("review", "serve", "-c", config).stderr
    assert [None] == made
