"""Types of a row of tokens where changes cost something."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.methods.linear.smoothing import smoothed

ROWS = st.lists(st.tuples(*[st.integers(-4, 4)] * 3), min_size=1, max_size=5)


def worth(scores, chosen, cost):
    """The sum of scores of chosen columns, less the cost of changes."""
    own = sum(row[column] for row, column in zip(scores, chosen, strict=True))
    return own - cost * sum(one != other for one, other in pairwise(chosen))


@given(ROWS, st.sampled_from([0, 1, 2.5]))
def test_no_choice_is_better(rows, cost):
    """Of all rows of types, none has a higher sum."""
    scores = np.array(rows, float)
    most = max(worth(scores, each, cost) for each in product(range(3), repeat=len(rows)))
    assert worth(scores, smoothed(scores, cost), cost) == pytest.approx(most)


def test_without_cost_each_token_is_alone():
    """A cost of nothing gives each token its best type; a high one gives all the same."""
    scores = np.array([[1, 0], [0, 0.5], [1, 0]], float)
    assert smoothed(scores, 0) == [0, 1, 0]
    assert smoothed(scores, 9) == [0, 0, 0]


def test_no_tokens_have_no_types():
    """An empty text has no types."""
    assert smoothed(np.zeros((0, 3)), 1) == []
