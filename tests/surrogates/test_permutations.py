"""Keyed permutations."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.surrogates.keys import Key
from adapter.surrogates.permutations import lettered, shuffled, walked

KEY = Key("k", b"0123456789abcdef")


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_shuffled_is_a_permutation(count):
    """Every string of digits of one length is the surrogate of exactly one other."""
    every = {"".join(digits) for digits in itertools.product("0123456789", repeat=count)}

    assert every == {shuffled(KEY, digits, "t") for digits in every}


def test_walked_is_a_permutation_of_what_fits():
    """Walking maps numbers without leading zero one to one among themselves."""
    every = {str(number) for number in range(1000, 10000)}

    assert every == {walked(KEY, digits, "t", lambda d: d[0] != "0") for digits in every}


@pytest.mark.parametrize("digits", ["", "12", "123456"])
def test_lettered_is_a_permutation(digits):
    """Letters beside the same digits map one to one."""
    every = {"".join(pair) for pair in itertools.product("abcdefghijklmnopqrstuvwxyz", repeat=2)}

    assert every == {lettered(KEY, letters, digits, "t") for letters in every}


@given(st.text("0123456789", min_size=1, max_size=80))
def test_length_is_kept(digits):
    """A surrogate has as many digits as its original, however long that is."""
    assert len(digits) == len(shuffled(KEY, digits, "t"))


def test_the_key_decides():
    """Another key gives another permutation."""
    other = Key("k", b"fedcba9876543210")

    assert shuffled(KEY, "1234567890", "t") != shuffled(other, "1234567890", "t")
