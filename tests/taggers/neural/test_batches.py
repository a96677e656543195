"""Segments side by side."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from adapter.taggers.neural.batches import SHARE, Grid, grids, segments_of
from adapter.taggers.neural.vocabulary import Encoded
from tests.methods.bilstm_crf.networks import tokens


@given(st.lists(st.integers(1, 40), max_size=30))
def test_each_token_has_one_place(sizes):
    """Grids hold every token of the segments once, in order, beside segments of like length."""
    lengths = np.array(sizes, np.intp)
    begins = np.cumsum(lengths) - lengths
    seen = []
    for grid in grids(begins, lengths):
        assert grid.lengths.min() >= SHARE * len(grid.places)
        seen += grid.places[grid.alive].tolist()
        assert all(
            np.diff(column[alive]).tolist() == [1] * (alive.sum() - 1)
            for column, alive in zip(grid.places.T, grid.alive.T, strict=True)
        )
    assert list(range(sum(sizes))) == sorted(seen)


def test_padding_is_no_word():
    """Places behind the end of a segment hold the word 0."""
    encoded = Encoded(
        np.array([5, 6, 7], np.int32), np.array([1, 0, 1], np.int32), np.array([[8], [9]], np.int32)
    )
    grid = Grid.of(np.array([0, 2]), np.array([2, 1]), 3)
    assert [[5, 7], [6, 0], [0, 0]] == grid.words(encoded).tolist()
    forms, spellings = grid.spelled(encoded)
    assert [[9, 9], [8, 9]] == spellings[forms][:2, :, 0].tolist()


def test_segments_without_a_word_are_left_out():
    """A paragraph's blank lines are no segment; lines are."""
    one = tokens("\n\nName: Ana\n\n\n\nseen")
    begins, lengths = segments_of(one)
    texts = [one.forms[first : first + size] for first, size in zip(begins, lengths, strict=True)]
    assert [["Name", ":", "Ana", "<p>"], ["seen"]] == texts


def test_a_text_without_tokens_has_no_segments():
    """There is nothing to lay out in a text of blanks."""
    begins, lengths = segments_of(tokens(" "))
    assert [] == begins.tolist() == lengths.tolist() == list(grids(begins, lengths))
