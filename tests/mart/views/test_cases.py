"""Views by cases of our own, beside those of the specification's test suite."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checks.views import cases, difference

CASES = [case for case in cases(Path(__file__).parent) if case.file == "cases"]


@pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])
def test_a_view_gives_its_rows(case):
    """A case of the suite's form gives the rows, or the error, that the specification asks for."""
    assert "" == difference(case)


def test_there_are_cases():
    """The file of cases is found."""
    assert len(CASES) >= 10
