"""Wordbooks: clusters and bands of forms, their case kept."""

from __future__ import annotations

from adapter.taggers.crf.word_stats import RAREST, WordStats

BOOK = WordStats.parse("1010\t9\tSmith Jones\n011\t14\tthe\n\t2\tzor\n")


def test_a_form_has_its_own_cluster_and_band():
    """They are those of its line."""
    assert ("1010", 9) == (BOOK.cluster("Jones"), BOOK.band("Jones"))


def test_a_capital_at_the_start_of_a_sentence_has_the_cluster_of_its_word():
    """A form without cluster has that of its lower case; its band stays its own."""
    assert ("011", RAREST) == (BOOK.cluster("The"), BOOK.band("The"))


def test_unknown_forms_are_rarest_and_in_no_cluster():
    """So are lower forms of names."""
    assert ("", RAREST) == (BOOK.cluster("smith"), BOOK.band("smith"))
    assert ("", 2) == (BOOK.cluster("zor"), BOOK.band("zor"))


def test_an_empty_book_knows_nothing():
    """A model may go without."""
    assert ("", RAREST) == (WordStats.parse("").cluster("x"), WordStats.parse("").band("x"))
