"""Mentions in short values without context: which of those that the taggers find count."""

from __future__ import annotations

import pytest

from adapter.types import PHRASE_SOURCE, VARIANT_SOURCE, Label, Span
from tests.corpus.runs import ruleset


@pytest.mark.parametrize(
    ("text", "word", "source", "counts"),
    [
        ("Mr. Zwerkovik stable", "Zwerkovik", VARIANT_SOURCE, True),
        ("wound of patient Zwerkovik", "Zwerkovik", VARIANT_SOURCE, True),
        ("Zwerkovik, RN", "Zwerkovik", VARIANT_SOURCE, True),
        ("Zwerkovik antigen", "Zwerkovik", VARIANT_SOURCE, False),
        ("Mr. Holm and Zwerkovik antigen", "Zwerkovik", VARIANT_SOURCE, False),
        ("Zwerkovic antigen", "Zwerkovic", PHRASE_SOURCE, True),
    ],
)
def test_a_misspelt_name_counts_beside_a_title(text, word, source, counts):
    """A variant of a name of the message counts if a title, a role or a degree is beside it."""
    start = text.index(word)
    span = Span(start, start + len(word), Label.PATIENT, source, 1.0)
    assert counts is ruleset().values.checks.personal.accepts(text, span)


@pytest.mark.parametrize(
    ("text", "long"),
    [
        ("ABG 7.31/52/68/26", False),
        ("CBC 11.2/9.8/29.4/212", False),
        ("31/52/68/26", True),
        ("7.31/52/68/26-1234567", True),
        ("7.31/52/68/26 4471188", True),
        ("412-555-0199", True),
    ],
)
def test_a_row_of_values_that_begins_with_a_decimal_is_no_long_number(text, long):
    """Blood gases of a short field are kept; the same digits without a decimal may be a number."""
    assert ruleset().values.checks.personal.numbers(text) is long


@pytest.mark.parametrize(
    ("text", "word", "counts"),
    [("Wolfendalely intake", "Wolfendalely", True), ("Center intake", "Center", False)],
)
def test_a_long_unknown_word_of_an_organisation_counts_by_itself(text, word, counts):
    """A word that says nothing else names the site also in the title of its form."""
    span = Span(0, len(word), Label.ORGANIZATION, PHRASE_SOURCE, 1.0)
    assert counts is ruleset().values.checks.personal.accepts(text, span)
