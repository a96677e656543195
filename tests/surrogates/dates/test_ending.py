"""Patterns that end at a place are found as a search from the start would find them."""

from __future__ import annotations

import regex
from hypothesis import given
from hypothesis import strategies as st

from adapter.surrogates.dates.ending import Ending

PATTERN = r"(?<![0-9])(?:ab|b|bb ?c|(?:a[ ]?){1,3})[,.]?[ ]?"
ENDING = Ending(PATTERN, regex.IGNORECASE)
SEARCH = regex.compile(rf"(?:{PATTERN})\Z", regex.IGNORECASE)


@given(st.text("abcB ,.1", max_size=12), st.integers(0, 12), st.integers(0, 12))
def test_it_begins_where_a_search_finds_it(text, begin, end):
    """The backwards trial decides nothing that the search would not."""
    end = min(end, len(text))
    found = SEARCH.search(text, begin, end)
    assert ENDING.start(text, end, begin) == (found.start() if found else end)


def test_the_longest_is_found():
    """Of several matches that end there, the one that begins first."""
    assert ENDING.start("xx a a a", 8) == 3
