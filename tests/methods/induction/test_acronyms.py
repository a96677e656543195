"""Acronyms in brackets beside what they stand for."""

from __future__ import annotations

import pytest

from adapter.methods.induction.acronyms import acronyms
from adapter.methods.induction.candidates import Grammar
from adapter.methods.induction.seeds import Seeds
from adapter.methods.induction.words import WordCounts, read_words

SEEDS = Seeds({"facility": ("Hospital de la Paz", "Hospital del Mar")})
LONG = "hospital universitario de la princesa"


def tied(text):
    """Acronyms of one text."""
    read = [read_words(text)]
    return acronyms(read, Grammar.of(read, SEEDS, WordCounts.of(read, frozenset())))


@pytest.mark.parametrize(
    "text",
    [
        "Visto en el Hospital Universitario de la Princesa (HUP), ayer.",
        "Visto en el HUP (Hospital Universitario de la Princesa), ayer.",
        "Visto en el Hospital Universitario de la Princesa (HULP).",
    ],
)
def test_an_acronym_is_tied_to_its_long_form(text):
    """The acronym stands behind its long form, or before it; initials may be of small words."""
    assert [frozenset((LONG,))] == list(tied(text).values())


@pytest.mark.parametrize(
    "text",
    [
        "Visto en el Hospital Universitario de la Princesa (Madrid).",
        "Visto en el Hospital Universitario de la Princesa (TAC).",
        "Visto en el Hospital Universitario de la Princesa (HPU).",
        "Visto en el Hospital Universitario de la Princesa HUP.",
    ],
)
def test_other_words_are_not(text):
    """Other words in brackets, other letters, another order or no bracket tie nothing."""
    assert tied(text) == {}
