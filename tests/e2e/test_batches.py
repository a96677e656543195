"""A batch's own lines carry nobody: what they say is dropped, or replaced as in the messages."""

from __future__ import annotations

import re

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
from tests.corpus.runs import ruleset

MESSAGE = (
    "MSH|^~\\&|LAB|HOSP|CDR|HUB|20240314101500||ADT^A08^ADT_A01|Q1|P|2.5.1\r"
    "PID|1||83920174^^^HOSP^MR||Okonjo^Thaddeus^J||19610503|M|||12 Elm St^^Salem^OR^97301\r"
)
SECRETS = ("Okonjo", "OKONJO", "Thaddeus", "83920174", "19610503")
WORDS = (
    "OKONJO^THADDEUS", "MRN 83920174", "Thaddeus Okonjo, born 05/03/1961", "okonjo_83920174.hl7",
)  # fmt: skip
LINES = {
    name: f"{name}|^~\\&|LAB|HOSP|CDR|HUB|20240314101500||{{9}}|{{10}}|C7|{{12}}"
    for name in ("FHS", "BHS")
} | {"BTS": "BTS|1|{9}|{10}", "FTS": "FTS|1|{9}|{10}"}


@pytest.fixture(scope="module")
def rules():
    """The shipped rules under a fixed key."""
    return ruleset()


def batch(name: str, at: str, text: str) -> str:
    """A file of one message whose line ``name`` says ``text`` in one field."""
    lines = {}
    for other, line in LINES.items():
        said = text if other == name else ""
        lines[other] = re.sub(r"\{(\d+)\}", lambda m, s=said: s if m[1] == at else "", line)
    around = [lines["FHS"], lines["BHS"], MESSAGE.rstrip("\r"), lines["BTS"], lines["FTS"]]
    return "\r".join(around) + "\r"


@pytest.mark.parametrize("text", WORDS)
@pytest.mark.parametrize("at", ["9", "10", "12"])
@pytest.mark.parametrize("name", LINES)
def test_no_line_of_a_batch_names_a_patient(rules, name, at, text):
    """Names, comments and numbers of files and batches show nobody that a message is about."""
    raw = batch(name, at, text)
    outcome = process(Record(raw.encode(), Position("file", 0, 0)), rules)
    if isinstance(outcome, Release):
        shown = outcome.value.decode()
        assert [word for word in SECRETS if word in shown] == []
        assert "05/03/1961" not in shown


def test_a_batch_that_says_nothing_of_anybody_is_released(rules):
    """Headers and trailers stay, with their counts."""
    outcome = process(Record(batch("FHS", "0", "").encode(), Position("file", 0, 0)), rules)
    assert isinstance(outcome, Release)
    lines = outcome.value.decode().split("\r")
    assert [line[:3] for line in lines if line] == ["FHS", "BHS", "MSH", "PID", "BTS", "FTS"]
    assert lines[4].startswith("BTS|1")
