"""The own tests of the mapping tables."""

from __future__ import annotations

from dataclasses import replace

from adapter.mart.landing.hl7v2.table_tests import run_tests
from adapter.mart.maps import read_maps

TEST = {"file": "own.toml", "kind": "ADT^A08", "message": ["PID|1||4711^^^A^MR|||||F"]}


def test_the_shipped_tables_pass_their_tests():
    """Every file of resources has some."""
    tables = read_maps()
    ran, failures = run_tests(tables)
    assert [] == failures
    assert ran == len(tables.tests) >= 5


def test_a_failure_says_what_was_found():
    """The file, the path, and both values."""
    tables = replace(
        read_maps(), tests=[TEST | {"expect": {"Patient.gender": "male", "Patient.name.family": 1}}]
    )
    problems = ["Patient.gender is 'female', not 'male'", "Patient.name.family is None, not 1"]
    assert (1, [("own.toml", problem) for problem in problems]) == run_tests(tables)
