"""Occurrences of many strings in one pass are those of each string by itself."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adapter.resolve.occurrences import Occurrence, Strings

WORDS = st.lists(
    st.sampled_from(
        ["Li", "LI", "Okonkwo", "okonkwo", "OKONKWO", "O'Dea", "(555)", "12-34", "ä_b"]
    ),
    max_size=8,
)
GAPS = st.sampled_from([" ", "-", "", "\n", "."])


def apart(text, string):
    """Where a string or its capitals stand as whole words, by looking at every character."""
    forms = {string, string.upper(), string.title() if string.isupper() else string}
    return {
        (start, start + len(form), string)
        for form in forms
        for start in range(len(text))
        if text.startswith(form, start)
        and not text[start - 1 : start].isalnum()
        and not text[start + len(form) : start + len(form) + 1].isalnum()
    }


@given(WORDS, WORDS, GAPS)
def test_all_at_once_is_one_by_one(words, wanted, gap):
    """Whatever the text and the strings, both ways find the same."""
    text = gap.join(words)
    strings = [string for string in wanted if any(map(str.isalnum, string))]
    expected = {place for string in strings for place in apart(text, string)}
    assert expected == set(Strings(strings).within(text))


def test_capitals_and_whole_words():
    """A string is found in capitals, not inside a longer word."""
    strings = Strings(["Okonkwo"])
    text = "Okonkwo OKONKWO Okonkwos okonkwo"
    assert [Occurrence(0, 7, "Okonkwo"), Occurrence(8, 15, "Okonkwo")] == list(strings.within(text))
