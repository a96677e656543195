"""Phrases and their occurrences."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from adapter.methods.boosted_trees.headings import Part
from adapter.methods.boosted_trees.phrases import (
    occurrences,
    predicted,
    runs,
    standardised,
    trusted,
)

FORMS = "Centro : Hospital General de Ciudad Real . Visto en HGCR de Ciudad Real".split()
TYPES = ["O", "O", *["HOSPITAL"] * 5, *["O"] * 7]


def test_what_is_behind_a_trusted_heading_is_trusted():
    """A phrase of its heading's type is trusted, and so are its capitals if three or more."""
    parts = [Part("centro", 2, 8)]
    found = trusted(FORMS, TYPES, parts, {"centro": "HOSPITAL"})
    assert found == {tuple(FORMS[2:7]): "HOSPITAL", ("HGCR",): "HOSPITAL"}
    assert list(occurrences(FORMS, found)) == [(2, 7, "HOSPITAL"), (10, 11, "HOSPITAL")]
    assert trusted(FORMS, TYPES, parts, {"centro": "CITY"}) == {}
    assert trusted(FORMS, TYPES, parts, {"otro": "HOSPITAL"}) == {}


def test_short_phrases_are_not_trusted():
    """A phrase of one or two letters, or of few digits, is found everywhere."""
    forms, types = ["Al", "y", "53", "y", "1234"], ["DOCTOR", "O", "AGE", "O", "ZIP"]
    assert predicted(forms, types) == {("1234",): "ZIP"}


def test_each_occurrence_takes_the_type_of_what_was_found():
    """A phrase found once is found everywhere, with its most frequent type, the longest first."""
    forms = "Eva Gil y Eva Gil y Eva Gil y Eva".split()
    types = ["DOCTOR", "DOCTOR", "O", "PATIENT", "PATIENT", "O", "DOCTOR", "DOCTOR", "O", "O"]
    both = ["DOCTOR", "DOCTOR", "O"]
    assert standardised(forms, types) == [*both * 3, "O"]
    assert standardised(forms[:5], ["DOCTOR", "DOCTOR", "O", "O", "O"]) == [*both, *both[:2]]


def test_a_longer_mention_keeps_its_type():
    """A phrase within a longer mention does not break that."""
    forms = "Ciudad Real y Hospital de Ciudad Real".split()
    types = ["CITY", "CITY", "O", *["HOSPITAL"] * 4]
    assert standardised(forms, types) == types


@given(
    st.lists(st.sampled_from(["Ana", "Gil", "1234", "y"]), max_size=12),
    st.randoms(use_true_random=False),
)
def test_standardisation_loses_no_token(forms, draw):
    """What was found stays found, whatever its type becomes."""
    types = [draw.choice(["O", "O", "DOCTOR", "CITY"]) for _ in forms]
    found = standardised(forms, types)
    assert len(found) == len(types)
    assert all(now != "O" for now, before in zip(found, types, strict=True) if before != "O")
    assert list(runs(found)) or not list(runs(types))
