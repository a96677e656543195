"""What tokens look like."""

from __future__ import annotations

import pytest

pytest.importorskip("sklearn")
pytest.importorskip("onnxruntime")

from adapter.methods.boosted_trees.look import LISTS, REACH, Look, around


def test_tokens_tell_of_themselves(few, read_text):
    """Length, digits, commonness, lists and months are columns of a token's own."""
    text = read_text("Ciudad Real, enero 2007")
    own = Look(few).own(text.tokens)
    city, month = own[:, -len(LISTS) - 1 + LISTS.index("city")], own[:, -1]
    assert own[:, 1].tolist() == [6, 4, 1, 5, 4]
    assert own[:, 2].tolist() == [0, 0, 0, 0, 4]
    assert city.tolist() == [4, 1, 0, 0, 0]
    assert month.tolist() == [0, 0, 0, 1, 0]
    assert own[1, -len(LISTS) - 4 : -len(LISTS) - 1].tolist() == [6, 9, -3]


def test_neighbours_are_told_in_their_order(few, read_text):
    """A token gets the kinds of the four before and the four behind; beyond the ends is an edge."""
    text = read_text("uno 2 tres")
    own = Look(few).own(text.tokens)
    near = around(own).reshape(3, 2 * REACH, 4)
    assert near[1, REACH - 1, 1] == len("uno")
    assert near[1, REACH, 1] == len("tres")
    assert near[0, REACH, 2] == 1
    assert (near[1, [0, 1, 2, 5, 6, 7]] == -2).all()
