"""``deid-adapter run`` and ``deid-adapter quarantine``, over files."""

from __future__ import annotations

import json
import re

import pytest


@pytest.fixture
def served(run_cli, settings_file, tmp_path, messages):
    """Settings, after the service ran over one message that is released and one that is held."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.hl7").write_bytes(messages["oru"])
    (tmp_path / "in/b.txt").write_bytes(b"Mr. John Quillfeather")
    file = settings_file(inputs=[tmp_path / "in"])
    ended = run_cli("run", "--config", file)
    assert 0 == ended.returncode
    return file, ended


def test_held_messages_can_be_listed_shown_and_retried(served, run_cli, tmp_path, real):
    """Released ones come out, held ones lie sealed; only `show` gives text away."""
    file, ended = served
    assert {"a.hl7", "manifest.jsonl"} == {path.name for path in (tmp_path / "out").iterdir()}
    audit = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]
    assert ["held", "released"] == sorted(line["outcome"] for line in audit)

    listed = run_cli("quarantine", "list", "--config", file)
    assert (0, b"1 held\n") == (listed.returncode, listed.stderr)
    pattern = rb"(\S+)  2\d{3}-\S+  decode/unknown-format +attempt 1"
    assert re.match(pattern, listed.stdout)

    retried = run_cli("quarantine", "retry", "--reason", "ticket 8", "--config", file)
    assert b'"reason":"ticket 8"' in (tmp_path / "audit.jsonl").read_bytes()
    told = b"     1 held again: decode/unknown-format\n"
    assert (0, told) == (retried.returncode, retried.stdout)
    again = run_cli("quarantine", "list", "--config", file)
    name = re.match(pattern.replace(b"1", b"2"), again.stdout)[1].decode()

    for text in (ended.stderr, listed.stdout, retried.stderr, *held_bytes(tmp_path)):
        assert [] == [value for value in real if value in text]
    shown = run_cli("quarantine", "show", "--config", file, name)
    assert (0, b"Mr. John Quillfeather\n") == (shown.returncode, shown.stdout)
    lost = run_cli("quarantine", "show", "--config", file, "none")
    assert (2, b"error: none: no such held record\n") == (lost.returncode, lost.stderr)


def held_bytes(folder):
    """What lies on disk beside the input and the output."""
    return [path.read_bytes() for path in (*folder.glob("held/*"), folder / "audit.jsonl")]


def test_logs_are_json_lines(served):
    """Every line on standard error is an object with event, level and time."""
    _, ended = served
    lines = [json.loads(line) for line in ended.stderr.splitlines()]
    assert ["compiling rules", "started", "stopped"] == [line["event"] for line in lines]
    assert all({"level", "timestamp"} <= set(line) for line in lines)


def test_a_dry_run_prints_counts_and_writes_nothing(run_cli, settings_file, tmp_path, messages):
    """Kinds, codes, labels and a rate on standard output; no folder comes to be."""
    (tmp_path / "in").mkdir()
    (tmp_path / "in/a.hl7").write_bytes(messages["oru"])
    (tmp_path / "in/b.txt").write_bytes(b"Mr. John Quillfeather")
    file = settings_file(inputs=[tmp_path / "in"])
    before = {path.name for path in tmp_path.iterdir()}
    told = run_cli("run", "--config", file, "--dry-run")
    assert before == {path.name for path in tmp_path.iterdir()}
    assert 0 == told.returncode
    assert re.search(rb"^hold +1  decode/unknown-format$", told.stdout, re.MULTILINE)
    assert re.search(rb"^span +\d+  PATIENT/phrase$", told.stdout, re.MULTILINE)
    assert re.search(rb"^1 released, 1 held of 2 records in ", told.stdout, re.MULTILINE)
    assert b"uillfeather" not in told.stdout + told.stderr
    as_json = run_cli("run", "--config", file, "--dry-run", "--records", "1", "--json")
    assert 1 == json.loads(as_json.stdout)["records"]


def test_options_of_a_dry_run_need_one(invoke, settings_file, tmp_path):
    """Nobody runs for good who wanted to look at ten records."""
    file = settings_file(inputs=[tmp_path])
    assert 0 != invoke("run", "--config", file, "--records", "10").exit_code


def test_settings_are_needed(invoke):
    """A service has settings."""
    assert 2 == invoke("run").exit_code
