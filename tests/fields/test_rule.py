"""The grammar of rule words, and that its sets never overlap."""

from __future__ import annotations

from itertools import combinations

import pytest

from adapter.fields.rule import HANDLINGS, LABELS, PARTS, Spec, parse
from adapter.types import Handling, Label


def test_words_come_in_any_order():
    """The order of words does not matter."""
    expected = Spec(part="id", role="patient", label=Label.SSN, scope="segment")
    assert expected == parse("patient id SSN @segment", {"patient"})
    assert expected == parse("@segment SSN id patient", {"patient"})


def test_a_word_means_one_thing(policy):
    """Handlings, parts, labels, roles and datatypes have no word in common."""
    sets = [HANDLINGS, PARTS, LABELS, frozenset(policy.hl7.roles), frozenset(policy.hl7.datatypes)]
    assert all(not one & other for one, other in combinations(sets, 2))


@pytest.mark.parametrize("words", ["", "keep drop", "keep family", "familly", "@galaxy", "ID ID"])
def test_words_that_make_no_sense_are_refused(words):
    """Empty, doubled, contradictory and unknown words are errors."""
    with pytest.raises(ValueError):  # noqa: PT011 - the message is checked where rules are read
        parse(words, set(), {"ID"})


def test_a_handling_stands_alone():
    """One handling is a whole rule."""
    assert Spec(handling=Handling.KEEP) == parse("keep", set())
