"""Public days beside a patient's: the message's own days are dropped there, never shifted."""

from __future__ import annotations

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record
from tests.corpus.runs import ruleset


def software(version, binary):
    """SFT of a released result of 1 October 2010, as fields."""
    rows = [
        "MSH|^~\\&|A|B|C|D|20101001||ORU^R01|1|P|2.5.1",
        f"SFT|Lab Systems|{version}|LIS|{binary}",
        "PID|1||5550142^^^H^MR||Doe^Jane",
        "OBR|1|||718-7^Hemoglobin^LN|||20101001",
        "OBX|1|NM|718-7^Hemoglobin^LN||13.2|g/dL|12-16|N|||F",
    ]
    outcome = process(Record("\r".join(rows).encode(), Position("days", 0, 0)), ruleset())
    (line,) = (row for row in outcome.value.decode().split("\r") if row.startswith("SFT"))
    return [*line.split("|"), ""][2:5:2]


@pytest.mark.parametrize("day", ["20101001", "2010-10-01"])
def test_a_public_day_that_the_message_has_is_dropped(day):
    """Shifted, it would tell the shift to whoever knows when a product was released."""
    assert software(day, "20100704") == ["", "20100704"]
    assert software("3.1.2", day) == ["3.1.2", ""]


@pytest.mark.parametrize("day", ["03/14/1961", "19610314"])
def test_a_day_that_is_no_release_is_dropped(day):
    """What is not of the product's grammar and begins with a day is not shifted either."""
    assert software(day, "7") == ["", "7"]
