"""The cost of a message is linear in its number of patients."""

from __future__ import annotations

import pytest

from adapter.pipeline.process import process
from adapter.types import Position, Record, Release
from tests.bench.growth import bundle_patients, growth
from tests.corpus.runs import ruleset


@pytest.mark.slow
@pytest.mark.parametrize(
    "row",
    [
        "patients in a Bundle", "PIDs in a message", "next of kin", "repetitions of PID-3 and 13",
    ],
)  # fmt: skip
def test_cost_of_patients_is_linear(row):
    """Eight times as many patients cost at most twelve times as much."""
    assert growth(row)[2] <= 1.5


@pytest.mark.slow
def test_a_bundle_of_many_patients_is_released():
    """As many as 1,920 patients are read and written in one message."""
    outcome = process(Record(bundle_patients(range(1920)), Position("g", 0, 0)), ruleset())
    assert isinstance(outcome, Release)
