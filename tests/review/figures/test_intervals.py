"""Intervals, sample sizes, and what two readers both missed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.review.figures.intervals import capture, plan, wilson


def test_wilson_is_the_published_one():
    """Newcombe (1998) gives .2553 to .3662 for 81 of 263, and 0 to .1611 for none of 20."""
    made = wilson(81 / 263, 263)
    assert (0.2553, 0.3662) == (round(made.low, 4), round(made.high, 4))
    assert round(wilson(0.0, 20).high, 4) == 0.1611


@given(st.integers(1, 500), st.data())
def test_wilson_has_the_share_inside(number, data):
    """The limits lie on both sides of the share, within 0 and 1."""
    share = data.draw(st.integers(0, number)) / number
    made = wilson(share, number)
    assert 0 <= made.low <= share <= made.high <= 1


def test_chapman_estimates_what_both_missed():
    """Two readers who find 90 each and 81 in common miss about one of a hundred."""
    made = capture(90, 90, 81)
    assert made.found == 99
    assert made.missed == pytest.approx(91 * 91 / 82 - 1 - 99)


def test_readers_who_find_the_same_have_missed_nothing_that_shows():
    """Two who agree in everything leave no estimate above what they found."""
    assert capture(50, 50, 50).missed == 0


def test_both_cannot_find_more_than_one():
    """Counts that contradict one another are refused."""
    with pytest.raises(ValueError, match="both"):
        capture(3, 5, 4)


def test_a_plan_says_how_much_to_read():
    """.985 is shown with about 2,900 mentions, 56 notes of 52, when the truth is .99."""
    made = plan(0.985, 0.99, 52)
    assert 2800 <= made.mentions <= 2950
    assert made.messages == pytest.approx(56, abs=1)


def test_what_is_not_true_cannot_be_planned():
    """No sample shows more than the truth."""
    with pytest.raises(ValueError, match="truth"):
        plan(0.99, 0.985, 50)
