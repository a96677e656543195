"""What a profile may ask."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.errors import RuleError
from adapter.surrogates import SurrogateOptions, options_of


def test_profile_table():
    """The table of a profile gives the options."""
    table = {"dates": "shift", "shift_days": {"min": 7, "max": 28, "multiple": 7}, "zip": "zip3"}
    expected = SurrogateOptions(min_days=7, max_days=28, multiple=7, zip="zip3")

    assert expected == options_of(table)
    assert (-28, -21, -14, -7, 7, 14, 21, 28) == expected.shifts


@pytest.mark.parametrize(
    "table",
    [
        {"dates": "fuzzy"},
        {"colour": "red"},
        {"shift_days": {"minimum": 1}},
        {"shift_days": {"min": 8, "max": 13, "multiple": 7}},
        {"shift_days": {"min": 0}},
        {"shift_days": {"max": 10**9}},
    ],
)
def test_what_cannot_be_honoured_is_refused(table):
    """An unknown option or impossible bounds stop the start."""
    with pytest.raises(RuleError):
        options_of({"shift_days": {}, **table})


@given(
    st.integers(1, 400), st.integers(1, 400), st.sampled_from([1, 7, 28]),
    st.sampled_from(["both", "earlier", "later"]),
)  # fmt: skip
def test_shifts_lie_in_bounds(least, most, multiple, direction):
    """Every shift is a multiple within bounds, in the direction, and never 0."""
    try:
        options = SurrogateOptions(
            min_days=least, max_days=most, multiple=multiple, direction=direction
        )
    except RuleError:
        return

    assert all(least <= abs(s) <= most and s % multiple == 0 for s in options.shifts)
    assert 0 not in options.shifts
    assert direction != "later" or min(options.shifts) > 0
    assert direction != "earlier" or max(options.shifts) < 0
