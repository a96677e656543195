"""The neural tagger: the network's labels as ours, and where it is sure enough."""

from __future__ import annotations

from dataclasses import replace

import pytest

from adapter.errors import RuleError
from adapter.rules.folder import Folder, shipped
from adapter.taggers.neural.tagger import NeuralTagger
from adapter.taggers.trusted.index import NOBODY
from adapter.types import Label
from tests.taggers.neural.networks import model
from tests.taggers.texts import document

SPANISH = Folder(shipped("rules")).resources("es")
TEXT = "mujer Jimena Quintanar\n\nde Jimena\n"


def tagger(**more):
    """A tagger of the small model."""
    return NeuralTagger(replace(SPANISH, neural=model(**more)))


def found(made, text=TEXT):
    """What is found in a text, as (words, label, source)."""
    return [(text[s.start : s.end], s.label, s.source) for s in made.tag(document(text), NOBODY)]


def test_mentions_have_our_labels_and_name_the_corpus_own():
    """Labels outside our scheme are left out."""
    expected = [("Jimena Quintanar", Label.PATIENT, "neural:NOMBRE")]
    assert [*expected, ("Jimena", Label.PATIENT, "neural:NOMBRE")] == found(tagger())


def test_the_whole_tagger_returns_what_our_scheme_lacks():
    """As OTHER, its source says what it is."""
    assert ("mujer", Label.OTHER, "neural:SEXO") in found(tagger().whole())


def test_a_lower_threshold_never_finds_less():
    """Every token above the threshold is covered."""
    text = "mujer Jimena Quintanar y otra de Quintanar"
    few, many = (
        {c for s in tagger(threshold=t).tag(document(text), NOBODY) for c in range(s.start, s.end)}
        for t in (0.9, 0.001)
    )
    assert few < many


def test_spans_have_the_model_s_priority_and_a_probability():
    """Other taggers' spans are weighed against these."""
    spans = tagger(priority=42).tag(document(TEXT), NOBODY)
    assert {42} == {span.priority for span in spans}
    assert all(0.5 < span.score <= 1 for span in spans)


def test_texts_without_words_have_no_mentions():
    """Neither has an empty one."""
    assert [[], []] == [found(tagger(), text) for text in ("", "\n\n\n")]


def test_a_language_without_a_model_is_named():
    """There is a clear error for a tagger that has nothing to tag with."""
    with pytest.raises(RuleError, match="'es' has no neural model"):
        NeuralTagger(SPANISH)
