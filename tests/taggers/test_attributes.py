"""Attributes: values that are mentions, values that never are, and names that say nothing."""

from __future__ import annotations

import pytest

from adapter.errors import RuleError
from adapter.taggers.attributes import AttributeTagger
from adapter.taggers.document.document import read
from adapter.taggers.document.resources import Resources
from adapter.taggers.document.sections import SectionRules

TABLE = {
    "columns": "value count",
    "shapes": {"word": r"(?P<phi>\p{L}+)"},
    "attribute": [
        {"names": ["name"], "label": "PATIENT", "shape": "word"},
        {"names": ["mother"], "label": "PATIENT", "shape": "word", "outside": ["medical"]},
        {"names": ["test name"], "vetoes": False},
        {"names": ["last name"], "label": "PATIENT", "shape": "word"},
        {"names": ["bp"]},
    ],
}
LEXICONS = {"en-medical": frozenset({"diabetes", "rose"}), "en-given": frozenset({"rose"})}


def _found(text, table=TABLE):
    rules = SectionRules(table)
    tagger = AttributeTagger(Resources("en", (), LEXICONS, rules))
    return [
        (type(item).__name__, text[item.start : item.end])
        for item in tagger.find(read(text, "en", rules))
    ]


NURSES = [("Veto", "Nurse"), ("Veto", "Issue")]
OKOLITA = [("Span", "Okolita"), ("Span", "77"), ("Veto", "77")]
TABLED = {
    "shapes": {"word": r"(?P<phi>\p{L}+)", "number": r"(?P<phi>[0-9.]+)"},
    "column": [
        {"names": ["name"], "label": "PATIENT", "shape": "word"},
        {"names": ["mrn"], "label": "MEDICALRECORD", "shape": "number"},
        {"names": ["test"], "outside": ["medical"]},
    ],
}


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("Okolita,77,K,104", [*OKOLITA, ("Veto", "K"), ("Veto", "104")]),
        ("Okolita,0.77,Ysolde,x", OKOLITA[:1]),
        (",,rose,1961-02-14", [("Veto", "rose")]),
    ],
)
def test_cells_by_the_head_of_their_column(row, expected):
    """Names and numbers are mentions, tests and short numbers none, decimals not even of people."""
    heads = [("Veto", head) for head in ("name", "mrn", "test")]
    assert _found(f"name,mrn,test,glucose\n{row}", TABLED) == [*heads, *expected]


def test_heads_name_nobody():
    """Nor do words among them that are in the lexicons; another one may."""
    found = _found("name,mrn,diabetes,okolita\n,,,", TABLED)
    assert found == [("Veto", head) for head in ("name", "mrn", "diabetes")]


def test_codes_below_their_head_are_no_numbers_of_people():
    """A column without a label may have a shape; a short place in a rack is no number, either."""
    columns = [
        {"names": ["icd"], "shape": "word"},
        {"names": ["sample"], "label": "IDNUM", "shape": "long"},
    ]
    shapes = {**TABLE["shapes"], "long": r"(?P<phi>[0-9]{5})"}
    found = _found("sample,icd\nS1,Okolita", {**TABLE, "shapes": shapes, "column": columns})
    assert found[2:] == [("Veto", "S1"), ("Veto", "Okolita")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Name: Okolita", [("Span", "Okolita")]),
        ("Test name: Okolita", []),
        ("testName: Okolita", []),
        ("lastName: Okolita", [("Span", "Okolita")]),
        ('"lastName": "Okolita", "x": 5', [("Span", "Okolita")]),
        ("last_name=Okolita", [("Span", "Okolita")]),
        ("Mother: Ysolde", [("Span", "Ysolde")]),
        ("Mother: Diabetes", []),
        ("Mother: Rose", [("Span", "Rose")]),
        ("BP: 120/80", [("Veto", "120/80")]),
    ],
)
def test_values_by_their_attribute(text, expected):
    """A longer name hides a shorter one; words of a lexicon outside that name nobody stay."""
    assert _found(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Name\tOkolita", [("Span", "Okolita")]),
        ("x\ty\n  Name\tOkolita\nBP\t120", [("Span", "Okolita"), ("Veto", "120")]),
        ("Name\tvalue", []),
        ("Name\tmother", []),
        ("Name\tOkolita\t77", []),
        ("The name\tOkolita", []),
    ],
)
def test_a_row_of_two_cells_is_an_attribute(text, expected):
    """Neither are heads of columns, rows of more cells, nor a cell that only ends with a name."""
    assert _found(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nurse\tIssue\nYsolde\tRose", [*NURSES, ("Span", "Ysolde"), ("Veto", "Rose")]),
        ("Nurse\tIssue\nDiabetes\tYsolde", NURSES),
        ("Nurse\tIssue\nRose\tDiabetes", [*NURSES, ("Span", "Rose"), ("Veto", "Diabetes")]),
    ],
)
def test_cells_by_their_column(text, expected):
    """A cell of a column of people is a name, unless it names nobody; a known thing is vetoed."""
    columns = [
        {"names": ["nurse"], "label": "DOCTOR", "shape": "word", "outside": ["medical"]},
        {"names": ["issue"], "outside": ["medical"]},
    ]
    assert _found(text, {**TABLE, "column": columns}) == expected


def test_an_unknown_lexicon_is_refused():
    """A rule that names a kind of lexicon that there is not is an error of the rule."""
    attribute = {"names": ["x"], "label": "PATIENT", "shape": "word", "outside": ["nothing"]}
    with pytest.raises(RuleError):
        _found("x: y", {**TABLE, "attribute": [attribute]})


@pytest.mark.parametrize(
    ("question", "asks"), [("mother", True), ("test name", False), ("bp", False)]
)
def test_what_asks_for_a_mention(question, asks):
    """Only an attribute with a label asks for a mention."""
    assert SectionRules(TABLE).asks(question) is asks
