"""Precision, recall and F of counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.evaluate.scores import Score, tabulate, total

COUNTS = st.integers(0, 500)


def test_measures_of_counts():
    """Right over predicted, right over gold, and their harmonic mean by weight."""
    score = Score(tp=6, fp=2, fn=6)
    assert (0.75, 0.5, 0.6) == (score.precision, score.recall, score.f())
    assert 0.75 * 0.5 * 5 / (4 * 0.75 + 0.5) == pytest.approx(score.f(2))
    assert 0.75 * 0.5 * 1.25 / (0.25 * 0.75 + 0.5) == pytest.approx(score.f(0.5))


def test_nothing_scores_nothing():
    """No prediction and no gold give 0, never a division by it."""
    assert (0.0, 0.0, 0.0) == (Score().precision, Score().recall, Score().f())


@given(COUNTS, COUNTS, COUNTS)
def test_f_lies_between_precision_and_recall(tp, fp, fn):
    """F2 leans to recall, F0.5 to precision, and none leaves their interval."""
    score = Score(tp, fp, fn)
    low, high = sorted((score.precision, score.recall))
    if tp:
        assert all(low - 1e-9 <= score.f(beta) <= high + 1e-9 for beta in (0.5, 1, 2))
        assert (score.f(2) >= score.f(0.5)) == (score.recall >= score.precision) or low == high


def test_events_are_counted_by_label():
    """Labels come sorted; the micro score is over all."""
    events = [("tp", "B"), ("fp", "A"), ("tp", "B"), ("fn", "A")]
    assert {"A": Score(0, 1, 1), "B": Score(2, 0, 0)} == tabulate(events)
    assert Score(2, 1, 1) == total(events) == sum(tabulate(events).values(), Score())
