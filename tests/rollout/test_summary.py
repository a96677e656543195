"""The summary of a dry run: counts, never text."""

from __future__ import annotations

import json

from adapter.rollout.summary import Summary
from adapter.types import Hold, Position, Processed, Record, Release

RECORD = Record(b"Mr Quillfeather", Position("Quillfeather.txt", 0, 7), key=b"Quillfeather")


def released(kind):
    """A release with two mentions."""
    counts = (("DATE/patterns", 1), ("PATIENT/phrase", 2))
    return Release(b"Mr Bell", format="hl7v2", kind=kind, counts=counts)


def test_outcomes_are_counted():
    """Releases by kind, holds by code, mentions by label and source."""
    summary = Summary("d1", seconds=2.0)
    for outcome in (released("ORU^R01"), released("ORU^R01"), Hold("decode", "empty")):
        summary.add(RECORD, Processed(outcome, 250.0))
    told = summary.as_dict()
    assert (3, 2, 1, 45) == tuple(told[n] for n in ("records", "released", "held", "bytes"))
    assert {"hl7v2 ORU^R01": 2} == told["kinds"]
    assert {"decode/empty": 1} == told["holds"]
    assert {"DATE/patterns": 2, "PATIENT/phrase": 4} == told["spans"]
    assert (0.75, 1.5) == (told["worker_seconds"], told["records_per_second"])


def test_a_summary_shows_no_text():
    """A kind that is none of the standards' is not repeated, nor is any name or coordinate."""
    summary = Summary("d1")
    summary.add(RECORD, Processed(released("Quillfeather^JOHN"), 1.0))
    assert ["hl7v2 ?"] == list(summary.as_dict()["kinds"])
    assert "uillfeather" not in json.dumps(summary.as_dict()) + repr(summary)


def test_nothing_read_is_no_error():
    """An empty topic has a summary of zeros."""
    assert 0 == Summary("d1").as_dict()["records_per_second"]
