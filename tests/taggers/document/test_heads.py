"""Heads of columns: how they are written, and what they say beside each other."""

from __future__ import annotations

import pytest

from adapter.taggers.document.heads import FIGURES
from adapter.taggers.document.sections import SectionRules

HEADS = SectionRules(
    {
        "columns": "value",
        "shapes": {"word": r"(?P<phi>\p{L}+)"},
        "attribute": [
            {"names": ["bp"]},
            {"names": ["test name"], "vetoes": False},
            {"names": ["birth date", "date"], "label": "DATE", "shape": "word"},
        ],
        "column": [
            {"names": ["last name", "d.o.b"], "label": "PATIENT", "shape": "word"},
            {
                "names": ["last"],
                "label": "PATIENT",
                "shape": "word",
                "beside": ["sex"],
                "whole": True,
            },
            {"names": ["name"], "label": "PATIENT", "shape": "word", "unless": ["dose"]},
            {"names": ["problem"], "outside": ["medical"]},
        ],
    }
).heads


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("last name", "last name"),
        ("LAST_NAME", "last name"),
        ("lastName", "last name"),
        ("LASTNAME", "last name"),
        ("lastName2", "last name"),
        ("Last name (legal)", "last name"),
        ("(last name)", "last name"),
        ("patient's birthDate", "birthdate"),
        ("D.O.B.", "d o b"),
        ("Wert", ""),
        ("", ""),
    ],
)
def test_a_head_is_read_however_its_words_are_joined(head, name):
    """Capitals inside words, low lines, numbers and brackets do not hide a known name."""
    assert HEADS.read(head).name == name


@pytest.mark.parametrize(
    ("heads", "labels"),
    [
        (("last", "sex"), ["PATIENT"]),
        (("last", "value"), []),
        (("seen last", "sex"), []),
        (("name", "dose"), []),
        (("name", "date"), ["PATIENT", "DATE"]),
        (("date", "x"), []),
        (("name", "test name"), ["PATIENT"]),
    ],
)
def test_what_heads_say_depends_on_those_beside(heads, labels):
    """A column may need another one, or give way to it; attributes need a certain table."""
    columns = HEADS.columns([HEADS.read(head) for head in heads])
    assert [meaning.label for meaning in columns.values() if meaning.label] == labels


@pytest.mark.parametrize(
    ("heads", "figures"),
    [(("name", "date", "bp", "x"), [2, 3]), (("bp", "problem", "x"), []), (("name", "x"), [])],
)
def test_numbers_below_other_heads_are_values(heads, figures):
    """In a certain table with people or days, the columns of all other heads hold figures."""
    columns = HEADS.columns([HEADS.read(head) for head in heads])
    assert [at for at, meaning in columns.items() if meaning is FIGURES] == figures


@pytest.mark.parametrize("cell", ["104", "4.1", "<0,5", ">= 8", "97 %", "128/76", "-1.5"])
def test_figures(cell):
    """Short numbers are figures."""
    assert FIGURES.shape.match(cell)


@pytest.mark.parametrize("cell", ["00481882", "1961-02-14", "12/76", "Hope", "1961", "4.1 x"])
def test_no_figures(cell):
    """Long numbers, days and words are none."""
    assert not FIGURES.shape.match(cell)
