"""Published counts: small ones are suppressed before anything is rounded, and cannot be told."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.mart.release.report.counts import publishable, single

COUNTS = st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 40), max_size=6)


@pytest.mark.parametrize(
    ("counts", "shown"),
    [
        ({"a": 40, "b": 12}, {"a": 40, "b": 10}),
        ({"a": 40, "b": 9, "c": 17}, {"a": 40, "b": None, "c": None}),
        ({"a": 40, "b": 9, "c": 8}, {"a": 40, "b": None, "c": None}),
        ({"a": 40, "b": 3, "c": 2, "d": 20}, {"a": 40, "b": None, "c": None, "d": None}),
        ({"a": 40, "b": 0}, {"a": 40, "b": 0}),
        ({"a": 9}, {"a": None}),
    ],
)
def test_tables(counts, shown):
    """A lone suppressed count takes the least of the others with it, so that no sum gives it."""
    assert shown == publishable(counts, 11, 5)


@given(COUNTS, st.integers(2, 12))
def test_no_small_count_is_shown(counts, minimum):
    """No count below the minimum is shown, rounded or not, nor can one be had from the total."""
    shown = publishable(counts, minimum)
    hidden = [counts[name] for name, n in shown.items() if n is None]
    assert not [n for name, n in shown.items() if n and counts[name] < minimum]
    others = [name for name, n in shown.items() if n]
    assert not hidden or not others or (len(hidden) > 1 and sum(hidden) >= minimum)


@pytest.mark.parametrize(("count", "shown"), [(0, 0), (10, None), (11, 10), (13, 15)])
def test_single_counts(count, shown):
    """A count that stands alone is suppressed by its own size, before it is rounded."""
    assert shown == single(count, 11, 5)
