"""Notation of clinical texts that looks like mentions: what it is stands beside it."""

from __future__ import annotations

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record
from tests.corpus.runs import ruleset


def note(text):
    """Released OBX-5 of a result whose OBX-5 is the text."""
    rows = [
        "MSH|^~\\&|A|B|C|D|20240312101500||ORU^R01|1|P|2.5.1",
        "PID|1||5550142^^^H^MR||Quaverley^Dorothea||19560418|F",
        "OBR|1|||11506-3^Progress note^LN|||20240308",
        f"OBX|1|TX|11506-3^Progress note^LN||{text}||||||F",
    ]
    outcome = process(Record("\r".join(rows).encode(), Position("notes", 0, 0)), ruleset())
    (line,) = (row for row in outcome.value.decode().split("\r") if row.startswith("OBX"))
    return line.split("|")[5]


@pytest.mark.parametrize(
    "text",
    [
        "PR L90M, K103N",
        "rtL180M + rtM204V",
        "gyrA S91F, D95G",
        "OPRM1 A118G; COMT V158M",
        "23S A2059G; parC S83I",
        "HER2 Y772_A775dup",
        "SERPINA1 PiMZ",
        "(H1N1)pdm09 like",
        "pfhrp2/3 deleted",
        "CDK4/6 inhibitor",
    ],
)
def test_mutations_stay(text):
    """The position in a mutation beside its gene is no age, and its letters are nobody's."""
    assert note(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "RA w/ MTX",
        "MVA w/ LOC",
        "S/P CABG W/ LIMA TO LAD",
        "d/c home w/ VNA",
        "Ambulate 50 ft w/ RW",
        "ADLs w/ AE",
        "Novolin 70/30 18 u HS",
        "pulses 2/4 DP",
        "D/C HL",
        "CALL MD W/ RESULT",
        "X-RAY, E-TEST, U-BAG",
        "Z-PLASTY DONE",
    ],
)
def test_abbreviations_stay(text):
    """What is had, used or given, and a thing joined to a letter, are nobody's initials."""
    assert note(text) == text


@pytest.mark.parametrize("text", ["met w/ KA", "chart reviewed w/ KA", "notes done -- KA"])
def test_initials_behind_with_are_replaced(text):
    """Only a known abbreviation or its head makes letters behind "w/" no initials."""
    assert "KA" not in note(text)
