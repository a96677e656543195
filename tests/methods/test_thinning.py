"""Which tokens are learned from."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adapter.methods.thinning import EVERY, NEAR, weights_of


def test_mentions_and_their_neighbours_are_kept():
    """Tokens of a mention and those near it weigh one; far ones are thinned and weigh more."""
    types = ["O"] * 20 + ["AGE"] + ["O"] * 20
    weights = weights_of(types, (2,))
    assert set(weights[20 - NEAR : 21 + NEAR]) == {1.0}
    assert weights[2] == 1
    assert list(weights[4:9]) == [EVERY, 0, 0, 0, EVERY]


@given(st.lists(st.sampled_from(["O"] * 30 + ["AGE"]), max_size=200))
def test_the_whole_weight_is_about_that_of_all(types):
    """Each kept token stands for those left out."""
    weights = weights_of(types)
    gaps = 1 + types.count("AGE") * 2
    assert len(weights) == len(types)
    assert abs(weights.sum() - len(types)) <= gaps * EVERY
    assert all(weights[place] == 1 for place, kind in enumerate(types) if kind != "O")
