"""Extents follow tokens, and a phrase is found on word borders."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adapter.review.judging.editing import canonical, neighbours, occurrences, resized, snapped

TEXT = "Seen by Dr. Anna Glasgow, GLASGOW coma scale 15. Glasgows differ."


def test_a_caret_takes_the_token_it_stands_in():
    """Also the next one, where it stands before it; nothing behind the last."""
    assert (12, 16) == snapped(TEXT, 14, 14)
    assert (8, 10) == snapped(TEXT, 7, 7)
    assert snapped(TEXT, len(TEXT), len(TEXT)) is None


def test_an_extent_is_widened_to_whole_tokens():
    """White space at its ends falls, half words become whole."""
    assert (12, 24) == snapped(TEXT, 14, 20)
    assert (8, 16) == snapped(TEXT, 7, 17)


def test_borders_move_by_tokens():
    """To the right, to the left, and never past the other border or the text."""
    assert (12, 24) == resized(TEXT, 12, 16, right=1)
    assert (10, 16) == resized(TEXT, 12, 16, left=-1)
    assert (17, 24) == resized(TEXT, 12, 24, left=5)
    assert (12, 16) == resized(TEXT, 12, 16, right=-9)
    assert resized(TEXT, 12, 16, right=99)[1] == len(TEXT)


@given(st.text(max_size=60), st.integers(0, 60), st.integers(0, 60))
def test_snapping_again_changes_nothing(text, one, other):
    """An extent of whole tokens stays as it is."""
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    found = snapped(text, start, end)
    assert found is None or snapped(text, *found) == found


def test_a_phrase_is_found_as_whole_words_in_any_case():
    """Glasgow is in GLASGOW and not in Glasgows."""
    assert [(17, 24), (26, 33)] == list(occurrences(TEXT, "glasgow"))
    assert [(12, 24)] == list(
        occurrences(TEXT.replace("Anna Glasgow", "Anna\nGlasgow"), "Anna Glasgow")
    )
    assert [] == list(occurrences(TEXT, " "))


def test_neighbours_are_words_of_the_same_line():
    """A mark or a line's end parts them."""
    assert ("", "coma") == neighbours(TEXT, 26, 33)
    assert ("anna", "") == neighbours(TEXT, 17, 24)


def test_phrases_are_compared_folded():
    """Case, accents and spacing do not matter."""
    assert canonical("Peña\n  Blanca") == canonical("PENA blanca")
