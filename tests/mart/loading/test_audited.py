"""Held messages are counted from a file of audit records, each once."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from adapter.cli import app
from adapter.errors import RuleError
from adapter.mart.loading.audited import AuditSource

pytest.importorskip("duckdb")


def audits(count):
    """Audit records; every third message was held, and one line is none."""
    for number in range(count):
        told = {"id": f"{number:032x}", "topic": "hl7.in", "offset": number, "outcome": "released"}
        if number % 3 == 0:
            told |= {"outcome": "held", "stage": "leak", "code": "known-value"}
        yield json.dumps(told) + "\n"
    yield "[]\n"


def test_held_messages_are_counted_once(tmp_path):
    """A file is loaded once, one that has grown brings what is new, and the rest is left out."""
    file, config = tmp_path / "audit.jsonl", tmp_path / "mart.toml"
    config.write_text("[mart]\nbatch_records = 4\n")
    for count, held in ((9, 3), (9, 3), (12, 4)):
        file.write_text("".join(audits(count)))
        command = ["mart", "load", "-c", str(config), "--audit", str(file)]
        assert 0 == CliRunner().invoke(app, command, catch_exceptions=False).exit_code
        said = CliRunner().invoke(app, ["mart", "report", "-c", str(config), "--json"]).output
        found = json.loads(said)
        assert {"reason": "leak/known-value", "times": held} in found["holds"]
        assert held == found["total"]["held"] == found["total"]["consumed"]


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    """The error has its path."""
    with pytest.raises(RuleError, match=r"none\.jsonl: cannot be read \(FileNotFoundError\)"):
        AuditSource(tmp_path / "none.jsonl", 10)
