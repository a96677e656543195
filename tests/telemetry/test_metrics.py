"""Metrics: closed sets of labels, and nothing of messages."""

from __future__ import annotations

from adapter.telemetry.metrics import Metrics
from adapter.types import Hold, Position, Processed, Record, Release

CANARY = "Quillfeather"
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


def test_metrics_count_by_closed_sets():
    """Releases by format, holds by stage and code, mentions by label and source."""
    metrics = Metrics()
    metrics.settled(RECORD, Processed(RELEASE, 2.0))
    metrics.settled(RECORD, Processed(Hold("leak", "pattern"), 2.0))
    text = metrics.exposition().decode()
    for line in (
        'deid_released_total{format="hl7v2"} 1.0',
        'deid_held_total{code="pattern",stage="leak"} 1.0',
        'deid_spans_total{label="PATIENT",source="phrases"} 3.0',
        "deid_message_seconds_count 2.0",
    ):
        assert line in text
    assert CANARY not in text


def test_what_alerts_look_for_is_there_from_the_start():
    """An increase is not seen of a series that begins at 1, so the first leak would be silent."""
    text = Metrics().exposition().decode()
    for line in (
        'deid_held_total{code="pattern",stage="leak"} 0.0',
        'deid_held_total{code="unexpected",stage="bug"} 0.0',
        'deid_released_total{format="fhir"} 0.0',
    ):
        assert line in text
