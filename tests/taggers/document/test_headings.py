"""Headings: what begins a line or is a known attribute, and what stands under it."""

from __future__ import annotations

import pytest

from adapter.taggers.document.document import read
from adapter.taggers.document.headings import confirmed, values
from adapter.taggers.document.sections import SectionRules

RULES = SectionRules({"attribute": [{"names": ["mrn"]}, {"names": ["age"]}]})


def found(text):
    """Names and values in a text."""
    return [(v.name, text[v.start : v.end]) for v in values(read(text, "en", RULES))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Name: Ana Okafor\nslept: no", [("name", "Ana Okafor"), ("slept", "no")]),
        ("Localidad/ Provincia: Soria", [("localidad provincia", "Soria")]),
        ("  - NºCol. : 12", [("nocol", "12")]),
        ("Médico:\nDra. Ruiz\n", [("medico", "Dra. Ruiz")]),
        ("She said that it was over: no", []),
        ("seen at 10:30", []),
        ("Name Age: 47", [("age", "47")]),
        ("Name: Ana Age: 47 MRN: 7", [("name", "Ana "), ("age", "47"), ("mrn", "7")]),
        ("plain text", []),
    ],
)
def test_values_stand_after_colons(text, expected):
    """After at most five words at the start of a line, or after a known attribute anywhere."""
    assert expected == found(text)


def test_a_heading_vouches_for_mentions_of_its_label():
    """Within its value; others prove nothing."""
    document = read("Name: Ana Okafor\nAna slept", "en", RULES)
    inside, other, outside = (6, 16, "PATIENT"), (6, 9, "DATE"), (17, 20, "PATIENT")
    assert [inside] == confirmed(document, [inside, other, outside], {"name": "PATIENT"})
    assert [] == confirmed(document, [inside], {})
