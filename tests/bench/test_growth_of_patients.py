"""Many patients in one message cost what each of them costs."""

from __future__ import annotations

import pytest

from tests.bench.growth import growth


@pytest.mark.slow
@pytest.mark.parametrize(
    "row",
    [
        "patients in a Bundle", "PIDs in a message", "next of kin", "repetitions of PID-3 and 13",
    ],
)  # fmt: skip
def test_cost_of_patients_is_linear(row):
    """Eight times as many cost at most twelve times as much."""
    assert growth(row)[2] <= 1.5
