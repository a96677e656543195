"""The cost of a long note is linear in its size."""

from __future__ import annotations

import pytest

from tests.bench.growth import measured, peak_megabytes


@pytest.mark.slow
def test_a_note_of_five_megabytes_takes_linear_time():
    """Five megabytes take at most seven and a half times as long as one."""
    assert measured(5) <= 5 * 1.5 * measured(1)


@pytest.mark.slow
def test_a_note_of_five_megabytes_takes_bounded_memory():
    """Each further megabyte takes less than 100 MB of memory."""
    assert peak_megabytes(5) - peak_megabytes(1) < 4 * 100
