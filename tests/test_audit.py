"""Logs, metrics and audit records: closed sets of what may be said, and nothing of messages."""

from __future__ import annotations

import io
import json
import logging

import pytest

from adapter.audit import Audit, Event, configure_logs, log, open_kind
from adapter.types import Hold, Position, Processed, Record, Release

CANARY = "Quillfeather"


@pytest.fixture
def lines():
    """Gives what was logged at debug level, as parsed lines."""
    stream = io.StringIO()
    configure_logs("debug", stream)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    configure_logs("warning")


def test_a_line_has_only_allowed_keys(lines):
    """A key that is not on the list is left out, whatever it holds."""
    log(Event.HELD, stage="leak", code="known-value", value=CANARY, lane="in-0")
    (line,) = lines()
    assert {"event", "level", "timestamp", "stage", "code", "lane"} == set(line)


def test_an_exception_is_its_types_name(lines):
    """What an exception says is not logged."""
    log(Event.FAILED, "error", error=ValueError(CANARY))
    assert "ValueError" == lines()[0]["error"]


def test_structures_are_left_out(lines):
    """A value that is neither a number nor a word could hold anything."""
    log(Event.HELD, stage={"x": CANARY}, code=[CANARY], lane=b"x")
    assert CANARY not in str(lines())


def test_libraries_say_where_and_not_what(lines):
    """A client that logs keys and values at debug level is reduced to its line number."""
    logging.getLogger("aiokafka.producer").debug("Sending (key=%s)", CANARY)
    logging.getLogger("asyncio").error("lost", exc_info=ValueError(CANARY))
    found = lines()
    assert ["aiokafka.producer", "asyncio"] == [line["logger"] for line in found]
    assert (CANARY in str(found), "ValueError") == (False, found[1]["error"])


def test_levels_are_kept():
    """Below the configured level nothing is written."""
    stream = io.StringIO()
    configure_logs("warning", stream)
    log(Event.COMMITTED)
    log(Event.LANE_FAILED, "warning")
    assert 1 == len(stream.getvalue().splitlines())


RELEASE = Release(
    CANARY.encode(),
    key=CANARY.encode(),
    headers=((CANARY, CANARY.encode()),),
    counts=(("DATE/field", 2), ("PATIENT/phrases", 3)),
    format="hl7v2",
    kind="ORU^R01",
    ruleset_digest="d2",
)
RECORD = Record(CANARY.encode(), Position("in", 1, 7), CANARY.encode(), ((CANARY, b""),), 5)


def test_an_audit_record_counts_and_names_no_text():
    """It says where from, what became of it, by which rules and how long it took."""
    audit = Audit("d1", public=lambda topic: f"public {topic}", clock=lambda: 2.0)
    assert {
        "time_ms": 2000,
        "topic": "public in",
        "partition": 1,
        "offset": 7,
        "ruleset": "d2",
        "milliseconds": 1.235,
        "outcome": "released",
        "format": "hl7v2",
        "kind": "ORU^R01",
        "counts": {"DATE/field": 2, "PATIENT/phrases": 3},
    } == json.loads(audit.entry(RECORD.position, Processed(RELEASE, 1.23456)))


def test_an_audit_record_of_a_hold():
    """It says stage and code."""
    audit = Audit("d1", clock=lambda: 2.0)
    entry = json.loads(audit.entry(RECORD.position, Processed(Hold("leak", "pattern"), 1.0)))
    assert ("held", "leak", "pattern", "d1") == (
        entry["outcome"],
        entry["stage"],
        entry["code"],
        entry["ruleset"],
    )


@pytest.mark.parametrize(
    ("kind", "shown"),
    [
        ("ORU^R01", "ORU^R01"),
        ("ACK", "ACK"),
        ("Bundle", "Bundle"),
        (CANARY, "?"),
        ("SMITH^JOHN", "?"),
        ("", "?"),
    ],
)
def test_a_kind_is_one_of_the_standards(kind, shown):
    """What a message calls itself is shown only when a standard could have said it."""
    assert shown == open_kind(kind)


def test_lines_follow_standard_error(monkeypatch):
    """A line goes to what standard error is now, not to what it was when logs were configured."""
    before, now = io.StringIO(), io.StringIO()
    monkeypatch.setattr("sys.stderr", before)
    configure_logs("warning")
    before.close()
    monkeypatch.setattr("sys.stderr", now)
    log(Event.LANE_FAILED, "warning", lane="t-0", code="x", attempt=1)
    assert "lane" in now.getvalue()
