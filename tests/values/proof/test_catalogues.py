"""Numbers of a catalogue of tests vouch for one another; a person's number is alone."""

from __future__ import annotations

import pytest

from adapter.pipeline.process import process
from adapter.types import Hold, Position, Record
from adapter.values.proof.catalogues import Entry, catalogued
from tests.corpus.runs import ruleset

TESTS = ("1001910", "1001912", "1001960")


def _entries(codes, element="OBX-3.1", system="L"):
    return [(number, Entry(element, system, code)) for number, code in enumerate(codes)]


def test_three_numbers_of_one_series_are_a_catalogue():
    """Numbers that differ in their last digits only are codes."""
    assert catalogued(_entries((*TESTS, "83920174"))) == frozenset({0, 1, 2})


@pytest.mark.parametrize(
    "codes",
    [
        ("1001910", "1001910", "1001910"),
        ("1001910", "1001912"),
        ("1001910", "2001912", "3001960"),
        ("20240301", "20240302", "20240315"),
    ],
    ids=["repeated", "two", "unlike", "days"],
)
def test_what_is_no_catalogue(codes):
    """A number that is repeated, fewer than three, unlike numbers and days are no catalogue."""
    assert not catalogued(_entries(codes))


@pytest.mark.parametrize(
    "other", [Entry("OBX-3.1", "LAB", TESTS[2]), Entry("OBR-4.1", "L", TESTS[2])]
)
def test_numbers_of_other_systems_or_places_are_no_catalogue(other):
    """All numbers of a catalogue stand in one place beside one coding system."""
    assert not catalogued([*_entries(TESTS[:2]), (2, other)])


def _message(codes):
    head = (
        "MSH|^~\\&|A|B|C|D|20240314||ORU^R01|1|P|2.5.1\rPID|1||1001950^^^X^MR||Okonkwo^Thaddeus\r"
    )
    results = "".join(f"OBX|{n}|NM|{c}^SODIUM^L||140\r" for n, c in enumerate(codes, 1))
    return f"{head}OBR|1|||24323-8^Panel^LN\r{results}".encode()


def test_a_release_keeps_a_catalogue_but_no_number_of_a_person():
    """Local codes of one series stay; the patient's own number in their place does not."""
    outcome = process(
        Record(_message((*TESTS, "1001950")), Position("catalogues", 0, 0)), ruleset()
    )
    assert not isinstance(outcome, Hold)
    assert all(code.encode() in outcome.value for code in TESTS)
    assert b"1001950" not in outcome.value


def test_one_long_number_is_no_local_code():
    """A number of seven digits alone in the place for local codes is not released."""
    outcome = process(Record(_message(("8392017",)), Position("catalogues", 0, 1)), ruleset())
    assert isinstance(outcome, Hold) or b"8392017" not in outcome.value
