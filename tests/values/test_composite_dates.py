"""Dates inside names, numbers and addresses of HL7 v2 are no clear dates in any version."""

from __future__ import annotations

import pytest

from adapter.pipeline.process import process
from adapter.types import Hold, Position, Record
from tests.corpus.runs import ruleset

VERSIONS = ("2.3", "2.3.1", "2.4", "2.5", "2.5.1", "2.6", "2.7", "2.8.2")
PLACES = [
    ("PV1", 7, "4711^Okonkwo^Thaddeus", number, date)
    for number in (19, 20)
    for date in ("19610314", "19610314101500")
]
PLACES += [("PID", 5, "Okonkwo^Thaddeus", number, "19610314") for number in (10, 11, 12, 13)]
PLACES += [("PID", 5, "Okonkwo^Thaddeus", 10, "19610314&19620415")]
PLACES += [("PID", 11, "1 Elm St^^Troy^NY^12180", number, "19610314") for number in (12, 13, 14)]
PLACES += [("PID", 11, "1 Elm St^^Troy^NY^12180", 12, "19610314&19620415")]
PLACES += [("PID", 3, "83920174^^^H^MR", number, "19610314") for number in (7, 8)]


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("place", PLACES)
def test_dates_of_composites(version, place):
    """They are shifted, or dropped where the version has no date there."""
    segment, field, value, component, date = place
    filled = value + "^" * (component - 1 - value.count("^")) + date
    fields = [""] * (field - 1) + [filled]
    rows = [f"MSH|^~\\&|A|B|C|D|20240101||ADT^A01|1|P|{version}", "PID|1||5550142^^^H^MR||Doe^Jane"]
    line = "|".join([segment, *fields])
    rows = [rows[0], line] if segment == "PID" else [*rows, line]
    outcome = process(Record("\r".join(rows).encode(), Position("dates", 0, 0)), ruleset())
    assert not isinstance(outcome, Hold)
    assert not any(part[:8] in outcome.value.decode() for part in date.split("&"))
