"""Tagging by induced terms."""

from __future__ import annotations

import pytest

from adapter.methods.induction.dictionary import Agreeing, Dictionary
from adapter.methods.induction.results import Induced, Term
from adapter.methods.prediction import spans_in


def term(name, item, kind="capital"):
    """An accepted term."""
    return Term(name, item, kind, 1.0, 1, 1, ())


TERMS = Induced(
    (
        term("CITY", "rose"),
        term("HOSPITAL", "rose hill clinic"),
        term("HOSPITAL", "rhc", "upper"),
        term("PROFESSION", "welder", "lower"),
        term("PATIENT", "quillfeather"),
    ),
    (),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("seen at Rose Hill Clinic", ["Rose Hill Clinic"]),
        ("from Rose, a welder", ["Rose", "welder"]),
        ("a rose is no place, nor is Rosemary", []),
        ("at RHC but not rhc", ["RHC"]),
        ("Rose Hill\nClinic", ["Rose"]),
        ("Rose1", []),
        ("a Rose", ["Rose"]),
    ],
)
def test_the_longest_term_counts_as_it_is_written(english, text, expected):
    """Names need a capital, acronyms capitals; terms are whole words of one line."""
    dictionary = Dictionary.of(TERMS)
    found = spans_in(text, {}, dictionary, english)
    assert expected == [text[span.start : span.end] for span in found]


def test_agreement_needs_a_span_of_the_kind(english):
    """A name where the rules see one is kept, where they see none it is dropped."""
    agreeing = Agreeing(Dictionary.of(TERMS), english.language)
    text = "Mr. Quillfeather was seen. Quillfeather valve seen, rose."
    found = spans_in(text, {}, agreeing, english)
    assert {"Quillfeather"} == {text[span.start : span.end] for span in found}
    assert found[0].start == text.index("Quillfeather")


def test_a_class_that_is_no_type_is_refused():
    """A dictionary for tagging has types as classes."""
    with pytest.raises(ValueError, match="drug"):
        Dictionary.of(Induced((term("drug", "aspirin"),), ()))
