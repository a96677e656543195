"""Induction: what follows from seeds, what is kept out, and that it is the same each time."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapter.methods.induction.bootstrap import induce
from adapter.methods.induction.results import Settings
from adapter.methods.induction.seeds import STOP, Seeds, key_of
from tests.methods.induction.letters import ACRONYM, HOSPITALS, NAMES, SEEDS, TOWNS, letters

STEMS = ("herra", "pelu", "carpi", "solda", "pesca", "mina", "jardi", "cerraja")


@pytest.fixture(scope="module")
def induced():
    """What follows from a few towns, hospitals and people."""
    return induce(letters(), SEEDS)


def items(induced, name):
    """The items of a class that are no seeds."""
    return {term.item for term in induced.terms if term.name == name and term.round}


def test_terms_in_the_contexts_of_seeds_are_found(induced):
    """All towns, people and hospitals of the letters are found, and nothing else."""
    assert {key_of(town) for town in TOWNS[8:]} == items(induced, "city")
    assert {key_of(name) for name in NAMES[9:]} == items(induced, "person")
    assert {key_of(hospital) for hospital in HOSPITALS[7:]} == items(induced, "facility")


def test_ordinary_words_are_no_terms(induced):
    """A word that the corpus writes in lower case too is no term, though its context is good."""
    assert not any("desconocida" in term.item for term in induced.terms)


def test_an_acronym_follows_its_long_form(induced):
    """The acronym in brackets behind a hospital is a term and says what it stands for."""
    (acronym,) = [term for term in induced.terms if term.long_form]
    assert acronym.item == ACRONYM.lower()
    assert acronym.name == "facility"
    assert acronym.long_form == key_of(HOSPITALS[0])


def test_each_term_says_which_contexts_advise_it(induced):
    """Every induced term names accepted contexts of its class."""
    accepted = {(context.name, context.pattern) for context in induced.contexts}
    for term in induced.terms:
        assert term.advised
        assert {(term.name, pattern) for pattern in term.advised} <= accepted


def test_contexts_show_no_names(induced):
    """Names and numbers beside a term are one word each in its contexts."""
    words = {word for context in induced.contexts for word in context.pattern.split(" ")}
    people = {word for name in NAMES for word in key_of(name).split(" ")}
    assert not words & (people | {key_of(town) for town in TOWNS})


def test_no_term_is_of_two_classes(induced):
    """Classes exclude one another."""
    assert len({term.item for term in induced.terms}) == len(induced.terms)


def test_a_rejected_term_is_not_proposed_again():
    """What a review put among the stop seeds is no term."""
    seeds = Seeds({**SEEDS.terms, STOP: (TOWNS[9],)})
    assert key_of(TOWNS[9]) not in {term.item for term in induce(letters(), seeds).terms}


def test_rounds_and_terms_bound_what_is_accepted():
    """One round of one term accepts one term of each class."""
    small = induce(letters(), SEEDS, Settings(rounds=1, terms=1))
    assert [1, 1, 1] == [len(items(small, name)) for name in SEEDS.classes]


def test_phrases_in_lower_case_are_induced():
    """Classes whose seeds are in lower case have phrases in lower case as terms."""
    trades = (f"{stem}{end}" for stem in STEMS for end in ("nero", "dor", "quera"))
    jobs = [f"{trade} de {trade}s" for trade in trades]
    texts = [
        f"Paciente {number} de consulta.\nTrabaja como {jobs[number % len(jobs)]}, sin alergias.\n"
        for number in range(96)
    ]
    found = induce(texts, Seeds({"profession": tuple(jobs[:12])}))
    assert set(jobs[12:]) <= items(found, "profession")


def test_nothing_comes_of_nothing():
    """No text, or texts without a seed, give no terms."""
    for texts in ([], [""], ["Nada de eso.\n"] * 5):
        found = induce(texts, SEEDS)
        assert not found.terms
        assert not found.contexts


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(alphabet="AaBé1 .:(-)\n'", max_size=60), max_size=6))
def test_any_text_can_be_read_and_gives_the_same_twice(texts):
    """Odd texts raise nothing, and the result is a function of the input."""
    seeds = Seeds({"x": ("Aa", "B"), "y": ("a b",), "z": ("1",)})
    assert induce(texts, seeds) == induce(texts, seeds)


def test_the_order_of_seeds_plays_no_part(induced):
    """Seeds of a class in another order give the same terms."""
    turned = Seeds({name: tuple(reversed(terms)) for name, terms in SEEDS.terms.items()})
    assert induce(letters(), turned) == induced
