"""The demo's report: lines that belong together stand side by side."""

from __future__ import annotations

import io
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

from adapter.cli.demo.report import aligned, show
from adapter.types import Hold, Processed

pytestmark = pytest.mark.every_language


def test_lines_of_json_are_paired_by_their_names():
    """A member that was removed leaves a gap, and shifts nothing behind it."""
    before = ["{", '  "id": "7",', '  "meta": "x",', '  "family": "Hill",', '  "gender": "f"', "}"]
    after = ["{", '  "id": "a1",', '  "family": "Knispel",', '  "gender": "f"', "}"]
    pairs = [pair for pair in aligned(before, after) if pair[0] != pair[1]]
    assert [
        ('  "id": "7",', '  "id": "a1",'),
        ('  "meta": "x",', ""),
        ('  "family": "Hill",', '  "family": "Knispel",'),
    ] == pairs


def test_segments_are_paired_by_name_and_number():
    """A segment that was dropped stands alone; rows of results keep their partners."""
    before = ["MSH|^~\\&|A", "PID|1||7", "ZPI|1|x", "OBX|1|TX|Hill", "OBX|2|TX|Rose"]
    after = ["MSH|^~\\&|B", "PID|1||a", "OBX|1|TX|Knispel", "OBX|2|TX|Evalina"]
    assert ("ZPI|1|x", "") in list(aligned(before, after))
    assert ("OBX|2|TX|Rose", "OBX|2|TX|Evalina") in list(aligned(before, after))


def test_every_line_is_shown():
    """Nothing is lost in pairing, whatever the two sides are."""
    before, after = ["a", '"b": 1', "c", "c"], ['"b": 2', "c", "d"]
    left, right = zip(*aligned(before, after), strict=True)
    assert before == [line for line in left if line]
    assert after == [line for line in right if line]


def test_the_demo_on_kafka_says_what_it_leaves():
    """Who started a broker for it reads how to end it."""
    text = io.StringIO()
    outcomes = SimpleNamespace(
        messages=[SimpleNamespace(file="a.hl7")],
        done={0: Processed(Hold("decode", "empty"), 5.0)},
        seconds=1.0,
        read_back=3,
        released=lambda _number: None,
    )
    show(Console(file=text, width=200), outcomes, Path("out"))
    assert "make kafka-stop" in text.getvalue()
    assert "are in its topics" in text.getvalue()
