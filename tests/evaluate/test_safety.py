"""Leaks and losses."""

from __future__ import annotations

from adapter.evaluate.safety import Safety, safety
from adapter.evaluate.token_labels import label_tokens
from tests.evaluate.cases import document, found

TEXT = "Ann Lee sleeps in Rome"


def test_texts_and_words_are_counted():
    """One text protected with a loss, one that leaks, one untouched, one touched for nothing."""
    gold = document(TEXT, (0, 7, "PATIENT"))
    cases = [
        (gold, found((0, 7, "DOCTOR"), (18, 22, "CITY"))),
        (gold, found((0, 3, "PATIENT"))),
        (document(TEXT), ()),
        (document(TEXT), found((8, 14, "CITY"))),
    ]
    result = safety(label_tokens(case) for case in cases)
    assert Safety(2, 1, 2, 1, tokens=20, spurious=2) == result
    assert (0.5, 0.5) == (result.leak_free_share, result.touched_share)
    assert 100.0 == result.over_redaction


def test_what_a_source_leaves_out_touches_nothing():
    """A text without PHI stays untouched by what its source would not mark."""
    case = document(TEXT, unlabelled=["LOCATION"]), found((18, 22, "CITY"))
    assert (0, 0) == (safety([label_tokens(case)]).touched, safety([label_tokens(case)]).spurious)


def test_no_texts_have_no_shares():
    """Nothing is divided by nothing."""
    result = safety([])
    assert (0.0, 0.0, 0.0) == (result.leak_free_share, result.touched_share, result.over_redaction)
