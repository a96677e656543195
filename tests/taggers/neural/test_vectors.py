"""Pretrained vectors: what is stored is found by word, and files that do not fit are refused."""

from __future__ import annotations

import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.errors import RuleError
from adapter.taggers.neural.vectors import LONGEST, MISSING, Vectors

WORDS = ["rosa", "león", "boston", "march"]
DRAW = np.random.default_rng(3)
VALUES = DRAW.integers(0, 16, (4, 6)).astype(np.float32)
FOUND = Vectors.of(WORDS, VALUES)


HEAD = b'{"words": 4, "width": 6}\n'


def file(head=HEAD, change=None):
    """The content of the file of `FOUND` with another first line, or with other bytes behind it."""
    _, _, arrays = zlib.decompress(FOUND.written()).partition(b"\n")
    return zlib.compress(head + (change(arrays) if change else arrays))


def test_words_have_their_vectors():
    """In any order, beside each other, and zeros for words without one."""
    rows = FOUND.rows(["march", "xq", "rosa", ""])
    assert [MISSING, MISSING] == [rows[1], rows[3]]
    shown = FOUND.shown(rows)
    np.testing.assert_allclose(shown, [VALUES[3], np.zeros(6), VALUES[0], np.zeros(6)])
    assert (2, 2, 6) == FOUND.shown(rows.reshape(2, 2)).shape
    assert (0, 6) == FOUND.shown(FOUND.rows([])).shape


@given(st.text(max_size=2 * LONGEST))
def test_only_words_of_the_file_are_found(word):
    """No word is found by its beginning, whatever its length."""
    assert (FOUND.rows([word])[0] != MISSING) == (word in WORDS)


def test_many_values_are_stored_by_their_nearest_levels():
    """The error is a small share of what the numbers vary by."""
    values = DRAW.normal(size=(5000, 2)).astype(np.float32)
    words = [f"w{number}" for number in range(5000)]
    stored = Vectors.of(words, values)
    error = stored.shown(stored.rows(words)) - values
    assert np.mean(error**2) < 0.02


def test_a_file_has_the_same_vectors_and_bytes():
    """What is written is read as it was, and written alike."""
    again = Vectors.read(FOUND.written())
    assert again.written() == FOUND.written()
    np.testing.assert_array_equal(again.shown(again.rows(WORDS)), VALUES)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"words",
        FOUND.written()[:-9],
        file(b""),
        file(b"[]\n"),
        file(b"{}\n"),
        file(b'{"words": "many", "width": 6}\n'),
        file(b'{"words": 5, "width": 6}\n'),
        file(b'{"words": 0, "width": 6}\n'),
        file(b'{"words": 4, "width": -6}\n'),
        file(b'{"words": 4, "width": 7}\n'),
        file(change=lambda arrays: arrays[:-1]),
        file(change=lambda arrays: arrays + b" "),
        file(change=lambda arrays: arrays[:96] + b"\x00\x00\x80\x7f" + arrays[100:]),
    ],
)
def test_files_that_do_not_fit_are_refused(content):
    """Bytes that are missing or too many, and values that are no numbers."""
    with pytest.raises(RuleError) as refused:
        Vectors.read(content)
    assert "vectors.bin" == refused.value.place
