"""Tokens: tokens and line breaks, and the segments that chains run over."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from adapter.taggers.crf.tokens import BREAK, segments, sequence_tokens
from tests.taggers.texts import document

TEXTS = st.lists(
    st.sampled_from(["Ana", "slept", "well", "12", ".", "\n", "\n\n", "\t", " ", "  ", ":"]),
    max_size=150,
).map("".join)


def forms(text):
    """The forms of a text's tokens."""
    return sequence_tokens(document(text)).forms


def test_line_breaks_are_units():
    """One break is a line's, several a paragraph's; breaks at the edges are none."""
    assert ["a", "<br>", "b", "<p>", "c"] == forms("a\nb\n \nc\n")


def test_gaps_tell_tables_from_prose():
    """Glued, a blank, or wide as between columns."""
    assert ["glued", "glued", "blank", "wide", "wide"] == sequence_tokens(
        document("a: b\tc   d")
    ).gaps


@given(TEXTS)
def test_units_are_the_text_in_order(text):
    """Tokens are disjoint and ascending, and a token's form is what stands there."""
    found = sequence_tokens(document(text))
    last = 0
    for start, end, form in zip(found.starts, found.ends, found.forms, strict=True):
        assert last <= start < end
        assert text[start:end] == form if form not in BREAK else "\n" in text[start:end]
        last = end


@given(TEXTS)
def test_stretches_part_all_units(text):
    """They begin at the first token and ascend; none is longer than a hundred, none empty."""
    found = sequence_tokens(document(text))
    firsts = segments(found)
    borders = [*firsts, len(found)] if len(found) else [0]
    assert 0 == firsts[0]
    assert all(0 < b - a <= 100 for a, b in itertools.pairwise(borders))


def test_each_line_is_a_stretch():
    """A break ends the segment it is in."""
    assert [0, 3, 5] == segments(sequence_tokens(document("a b\nc\nd e")))


def test_long_lines_are_cut_at_sentences():
    """A sentence's end cuts once the line is long, not after an initial."""
    text = "The man " + "walked and " * 6 + "slept. He ate with Dr. Q. Poe. Then left."
    found = sequence_tokens(document(text))
    assert ["The", "He"] == [found.forms[place] for place in segments(found)]
