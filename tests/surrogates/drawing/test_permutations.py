"""Keyed permutations."""

from __future__ import annotations

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.surrogates.drawing.keys import Key
from adapter.surrogates.drawing.permutations import pattern_of, permuted, shuffled, walked

KEY = Key("k", b"0123456789abcdef")
LETTERS, DIGITS = "abcdefghijklmnopqrstuvwxyz", "0123456789"
KINDS = {"0": DIGITS, "1": DIGITS[1:], "a": LETTERS}


def every(pattern):
    """All strings of a pattern."""
    return {"".join(characters) for characters in itertools.product(*map(KINDS.get, pattern))}


@pytest.mark.parametrize("count", [1, 2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_shuffled_is_a_permutation(count):
    """Every string of digits of one length is the surrogate of exactly one other."""
    strings = every("0" * count)

    assert strings == {shuffled(KEY, digits, "t") for digits in strings}


def test_walked_is_a_permutation_of_what_fits():
    """Walking maps numbers without leading zero one to one among themselves."""
    numbers = {str(number) for number in range(1000, 10000)}

    assert numbers == {walked(KEY, digits, "t", lambda d: d[0] != "0") for digits in numbers}


@pytest.mark.parametrize("pattern", ["a", "aa", "aaa", "a1", "a10", "1a", "a1a"])
def test_letters_and_digits_are_permuted_as_one(pattern):
    """Every string of one pattern is the surrogate of exactly one other, tables and networks."""
    strings = every(pattern)

    assert strings == {permuted(KEY, text, pattern, "t") for text in strings}


@pytest.mark.parametrize("pattern", ["0", "00", "a", "aa", "a1", "0000"])
def test_few_strings_never_stay(pattern):
    """A table is one cycle: no string of few is its own surrogate."""
    assert not [text for text in every(pattern) if text == permuted(KEY, text, pattern, "t")]


def test_tables_are_drawn_evenly():
    """Under 3,000 keys a digit becomes each of the nine others about as often."""
    keys = (Key("k", number.to_bytes(16)) for number in range(3000))
    counts = Counter(permuted(key, "7", "0", "t") for key in keys)

    assert set(DIGITS) - {"7"} == set(counts)
    assert sum((count - 3000 / 9) ** 2 / (3000 / 9) for count in counts.values()) < 26  # p .001


@given(st.text(DIGITS, min_size=1, max_size=80))
def test_length_is_kept(digits):
    """A surrogate has as many digits as its original, however long that is."""
    assert len(digits) == len(shuffled(KEY, digits, "t"))


@given(st.from_regex(r"([a-z]|(?<![0-9])[1-9][0-9]*(?![0-9])){1,70}", fullmatch=True))
def test_pattern_is_kept(text):
    """Letters stay letters and digits digits, no run of digits begins with 0."""
    pattern = pattern_of(text)

    assert pattern == pattern_of(permuted(KEY, text, pattern, "t"))


def test_the_key_decides():
    """Another key gives another permutation."""
    other = Key("k", b"fedcba9876543210")

    assert shuffled(KEY, "1234567890", "t") != shuffled(other, "1234567890", "t")


@pytest.mark.parametrize("tweaks", [("t", "u"), ("", "t")])
def test_the_tweak_decides(tweaks):
    """Another tweak gives a permutation that has nothing to do with it."""
    one, other = ([shuffled(KEY, f"{n:06d}", tweak) for n in range(2000)] for tweak in tweaks)

    assert sum(a == b for a, b in zip(one, other, strict=True)) <= 2
