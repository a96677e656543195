"""Numbers in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.normalize.numerals import Numerals, readings
from tests.corpus.runs import ruleset


@pytest.fixture(scope="module")
def numerals():
    """The shipped words."""
    return ruleset().numerals


@pytest.mark.parametrize(
    ("words", "digits"),
    [
        ("nine zero eight one seven", "90817"),
        ("nine-oh-eight, one seven", "90817"),
        ("ninety eight seventeen twenty-six", "981726"),
        ("nueve cero ocho uno siete", "90817"),
        ("noventa y ocho, diecisiete", "9817"),
        ("neun null acht eins sieben", "90817"),
        ("achtundneunzig siebzehn drei", "98173"),
    ],
)
def test_words_in_a_row_are_one_number(numerals, words, digits):
    """In English, Spanish and German, with any marks between."""
    form = numerals.read(f"chart {words} end")
    assert f"chart {digits} end" == form.text
    assert (6, 6 + len(words)) == form.origin(6, 6 + len(digits))


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("Call 4l2 79O 6l6l now", "Call 412 790 6161 now"),
        ("MRN O9O8l7I", "MRN 0908171"),
        ("ll2 is a code", "112 is a code"),
    ],
)
def test_letters_that_look_like_digits_are_read_as_digits(numerals, text, digits):
    """Among digits only; "ill" and "lol" are words."""
    assert digits == numerals.read(text).text
    assert digits == Numerals().read(text).text
    assert numerals.read("lol Oil ill A1c O-2 l2x") is None


@pytest.mark.parametrize("text", ["one or two", "ten mg once", "someone to one", "a b c", ""])
def test_fewer_words_are_none(numerals, text):
    """Two words of numbers are rather what they say."""
    assert numerals.read(text) is None
    assert readings(text, numerals) == ()


def test_without_words_nothing_is_read():
    """A language without a lexicon of numbers has none."""
    assert Numerals().read("one two three four") is None


WORDS = "zero one two three four five six seven eight nine".split()


@given(st.lists(st.integers(0, 9), min_size=3, max_size=12), st.sampled_from([" ", "-", ", "]))
def test_every_number_is_read_digit_by_digit(numerals, digits, between):
    """Whatever the digits and the marks between them."""
    form = numerals.read(between.join(WORDS[digit] for digit in digits))
    assert "".join(map(str, digits)) == form.text
