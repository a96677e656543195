"""A double name of which taggers found one half is found whole."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.resolve.double import with_halves
from adapter.types import Label, Span

ORDINARY = frozenset({"patient", "klinik"})


def span(text, part, label=Label.DOCTOR):
    """The span of a part of a text."""
    start = text.index(part)
    return Span(start, start + len(part), label, "crf", 0.4, 75)


@pytest.mark.parametrize(
    ("text", "part", "whole"),
    [
        ("RI HUBER-STRASSER VON", "HUBER", "HUBER-STRASSER"),
        ("RI HUBER-STRASSER VON", "STRASSER", "HUBER-STRASSER"),
        ("seen by Ann Huber-Stein, RN", "Ann Huber", "Ann Huber-Stein"),
        ("by Huber\u2011Stein", "Stein", "Huber\u2011Stein"),
        ("der Huber-Patient", "Huber", "Huber"),
        ("HUBER-Klinik", "HUBER", "HUBER"),
        ("HUBER-Stein", "HUBER", "HUBER"),
        ("Huber-2", "Huber", "Huber"),
        ("Huber-St", "Huber", "Huber"),
        ("huber-stein", "huber", "huber"),
        ("Lemli-Huber-Opitz", "Huber", "Lemli-Huber-Opitz"),
        ("Lemli-Opitz-Huber", "Huber", "Huber"),
        ("Huber - Stein", "Huber", "Huber"),
    ],
)
def test_the_other_half_is_taken_in(text, part, whole):
    """Only a capitalised word of the same form that no other word is joined to."""
    (found,) = with_halves(text, [span(text, part)], ORDINARY)
    assert text[found.start : found.end] == whole


def test_other_labels_and_found_halves_stay():
    """Spans stay disjoint; a town is no double name."""
    text = "Huber-Stein"
    both = [span(text, "Huber"), span(text, "Stein")]
    assert with_halves(text, both, ORDINARY) == both
    town = [span(text, "Huber", Label.CITY)]
    assert with_halves(text, town, ORDINARY) == town


@given(st.text("Ab-c \u2011", max_size=14), st.data())
def test_spans_only_grow_and_stay_apart(text, data):
    """Whatever the text, spans cover at least what they did, inside the text, in order."""
    cuts = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    pairs = [(a, b) for a, b in zip(cuts[::2], cuts[1::2], strict=False) if a < b]
    row = [Span(a, b, Label.PATIENT, "x", 1.0, 1) for a, b in pairs]
    found = with_halves(text, row, ORDINARY)
    assert all(
        new.start <= old.start and old.end <= new.end for new, old in zip(found, row, strict=True)
    )
    at = 0
    for new in found:
        assert at <= new.start < new.end <= len(text)
        at = new.end
