"""Proposals as rules: text that is TOML whatever the phrase, the same for the same."""

from __future__ import annotations

import tomllib

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st

from adapter.errors import RuleError
from adapter.review.feedback.rendering import form_of, overlay
from adapter.review.judging.editing import canonical
from adapter.review.judging.proposals import Effect, Proposal
from adapter.taggers.patterns.families import compile_family

ENGLISH = {"en": {}}
PHRASES = st.text(min_size=2, max_size=30).filter(canonical)
EFFECTS = st.sampled_from([e for e in Effect if e not in {Effect.FIELD, Effect.REMOVE}])


def compiled(over):
    """The families compiled, with the terms as lexicons."""
    lexicons = {name: frozenset(terms) for name, terms in over.terms.items()}
    return [compile_family(tomllib.loads(text), lexicons) for text in over.families.values()]


@given(EFFECTS, PHRASES, PHRASES)
def test_any_phrase_becomes_a_rule_that_compiles(effect, phrase, behind):
    """Quotes, braces, backslashes and controls cannot break out of the rule."""
    proposal = Proposal(
        effect, "en", "CITY", " ".join(phrase.split()), "term", "", canonical(behind)
    )
    over = overlay([proposal], ENGLISH)
    assert {"en"} == over.languages
    assert compiled(over)


@given(st.lists(st.tuples(EFFECTS, PHRASES), max_size=8))
def test_the_order_of_decisions_does_not_matter(chosen):
    """The same proposals give the same text."""
    made = [Proposal(effect, "en", "DATE", phrase, "term") for effect, phrase in chosen]
    one, other = overlay(made, ENGLISH), overlay(list(reversed(made)), ENGLISH)
    keys = {p.key for p in made}
    if len(keys) == len(made):
        assert one == other


def test_a_term_leaves_the_lexicons_that_have_it():
    """Where none has it, it needs context: it becomes a veto."""
    lexicons = {"en": {"en-city": {"reading"}, "en-family": {"reading", "smith"}}}
    proposal = Proposal(Effect.REMOVE, "en", "CITY", "Reading", "induction")
    over = overlay([proposal], lexicons)
    assert {"en-city": ("reading",), "en-family": ("reading",)} == over.removed
    assert not over.families
    other = overlay([Proposal(Effect.REMOVE, "en", "CITY", "Elsewhere", "induction")], lexicons)
    assert "[[veto]]" in other.families["en"]


@given(st.text(alphabet="abXY019-/. ", min_size=1, max_size=12).filter(str.strip))
def test_a_form_matches_what_it_was_made_of(phrase):
    """Letters for letters, digits for digits, marks as they are."""
    text = canonical(phrase)
    assert regex.fullmatch(form_of(text), text, regex.VERBOSE)


@pytest.mark.parametrize("language", ["", "xx"])
def test_a_language_that_the_rules_lack_is_refused(language):
    """A rule of it would vanish; a note about a field needs no language."""
    with pytest.raises(RuleError, match="languages"):
        overlay([Proposal(Effect.VETO, language, "CITY", "Elsewhere", "advice")], ENGLISH)
    field = Proposal(Effect.FIELD, language, "CITY", "", "advice", element="PV1-3")
    assert not overlay([field], ENGLISH).families
