"""Notation of clinical texts that looks like mentions: what it is stands beside it."""

from __future__ import annotations

import json

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
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


@pytest.mark.parametrize(
    "text",
    [
        "Meds tried: Nortrel 7/7/7; Alyacen 1/35",
        "Blisovi Fe 1/20",
        "1 tab qHS x 7/7, disp 14",
        "suture 4/0 and 5/0; 2-0 silk",
        "HPV 16/18 pos, 31/33/45 neg",
        "NRS 7/10 at rest; 9/10 w/ mvmt",
        "chest pain 10/10 x 2h",
        "Prograf 3/2, trough 6.1",
        "Bx: Gleason 3+4=7, 3/12. PSA 6.8",
        "Cores positive: 3/12",
        "Nodes positive/examined: 2/11",
        "LN 1/12, margin 2 mm",
        "PIP/PEEP 24/5",
        "Foley 16/10. UOP 30/h",
        "Banff 3/9 on bx",
        "Bristol 4/7",
    ],
)
def test_named_fractions_stay(text):
    """A fraction is no date where its neighbours say that it is a strength, score or count."""
    assert note(text) == text


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Seen 3/12 for pain", "3/12"),
        ("HA 7/10, MRI 9/10", "9/10"),
        ("Charlotte came 1/20", "1/20"),
        ("recheck Fe 1/20", "1/20"),
    ],
)
def test_days_beside_such_words_are_shifted(text, day):
    """What could be a date is one unless something says what else it is."""
    assert day not in note(text)


@pytest.mark.parametrize(
    "text",
    [
        "Sat 92 on room air",
        "Sat dropped to 84 w/ walk",
        "Sat upright. Gauze off",
        "Sun hat given",
        "s/p last fall 3 days ago, no LOC",
        "Spring in step; spring-loaded knee",
        "may march in place",
        "14 bt run VT; pt asleep",
    ],
)
def test_words_that_are_days_elsewhere_stay(text):
    """What follows shows a saturation, a fall or an act, and no weekday, season or month."""
    assert note(text) == text


@pytest.mark.parametrize(
    "text", ["Sat 86 RA rest, 93 on 2L. RT Glendorah", "RR 18, 94 on 4L. RT Malachi"]
)
def test_litres_before_a_trade_stay(text):
    """The L of litres is no initial of the name behind the trade, which is replaced."""
    shown = note(text)
    assert text[: text.index("RT")] in shown
    assert text.split()[-1] not in shown


@pytest.mark.parametrize(
    ("text", "day"),
    [("Seen Sat by RN", "Sat"), ("back in March", "March")],
)
def test_weekdays_and_months_are_shifted(text, day):
    """Without such neighbours a weekday, month or season is a date."""
    assert day not in note(text)


def table(rows):
    """Released narrative of a Composition with a table of the rows."""
    cells = "".join(f"<tr>{''.join(f'<td>{c}</td>' for c in row)}</tr>" for row in rows)
    xhtml = f'<div xmlns="http://www.w3.org/1999/xhtml"><table>{cells}</table></div>'
    composition = {
        "resourceType": "Composition",
        "status": "final",
        "type": {"text": "Note"},
        "date": "2024-03-03",
        "author": [{"reference": "Patient/pt-4471"}],
        "title": "Note",
        "section": [{"title": "S", "text": {"status": "generated", "div": xhtml}}],
    }
    outcome = process(Record(json.dumps(composition).encode(), Position("notes", 0, 0)), ruleset())
    return json.loads(outcome.value)["section"][0]["text"]["div"]


def test_fractions_under_a_head_that_counts_stay():
    """A cell below "Cores" or a side of a muscle is no date."""
    assert "<td>1/2</td>" in table([("Site", "Cores"), ("Left base", "1/2")])
    shown = table([("Level", "R", "L"), ("C5", "4/5", "3/5")])
    assert "<td>4/5</td><td>3/5</td>" in shown


def test_fractions_under_another_head_are_dates():
    """A head for days, and a table of labels and values, make dates of fractions."""
    assert "3/12" not in table([("Site", "Date"), ("Left base", "3/12")])
    assert "3/12" not in table([("Complaint", "Pain"), ("Seen", "3/12")])


def test_a_number_of_the_message_is_no_mutation():
    """The patient's own number goes, although it is written like a mutation beside a gene."""
    raw = (
        "MSH|^~\\&|A|B|C|D|20240511||ORU^R01|1|P|2.5.1\rPID|1||V1582M^^^H^MR||Brandvold^Osmund\r"
        "OBX|1|TX|a^N^L||Results: COMT V1582M seen||||||F\r"
    )
    outcome = process(Record(raw.encode(), Position("in", 0, 0)), ruleset())
    assert isinstance(outcome, Release)
    assert b"V1582M" not in outcome.value
