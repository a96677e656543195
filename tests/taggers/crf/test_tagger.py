"""The learned tagger: spans of labels, within the text and clean at their edges."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.taggers.crf.features import Featurizer
from adapter.taggers.crf.tagger import CrfModel, CrfTagger, needed_alone
from adapter.taggers.crf.weights import Weights, packed
from adapter.taggers.crf.word_stats import WordStats
from adapter.types import Label
from tests.taggers.texts import document
from tests.wording import FIELDS

LABELS = ("O", "B-PATIENT", "I-PATIENT", "B-DATE", "I-DATE")
MOVES = [
    [0.0, 0, -9, 0, -9],
    [0, 0, 1, 0, -9],
    [0, 0, 1, 0, -9],
    [0, 0, -9, 0, 1],
    [0, 0, -9, 0, 1],
]
WORDS = ("ana", "okafor", "slept", "may", "3", "<br>", "<p>", ",")
FEATURES = Featurizer({}, WordStats())
TEXTS = st.lists(
    st.sampled_from(["Ana", "Okafor", "slept", "May", "3", ",", "\n", "\n\n"]), max_size=30
).map(" ".join)


def tagger(states, names=None, threshold=0.5, headings=None):
    """A tagger of one chain with these weights."""
    chains = Weights.parse(packed([("all", LABELS, MOVES, states)]))
    model = CrfModel(chains, {"all": threshold}, names or {}, 75, headings or {}, FIELDS.joining)
    return CrfTagger(model, FEATURES)


SURE = {
    ("w0=ana", "B-PATIENT"): 9.0, ("w0=okafor", "I-PATIENT"): 9.0, ("w0=may", "B-DATE"): 9.0,
    ("w0=3", "I-DATE"): 9.0, ("w0=slept", "O"): 9.0, ("w0=,", "O"): 9.0,
}  # fmt: skip


def found(text, **more):
    """What is found in a text, as (words, label)."""
    spans = tagger(SURE, **more).predict(document(text), [])
    return [(text[s.start : s.end], s.label) for s in spans]


def test_runs_of_one_label_are_spans():
    """B begins a mention, I goes on."""
    assert [("Ana Okafor", Label.PATIENT), ("May 3", Label.DATE)] == found(
        "slept, Ana Okafor slept May 3, slept"
    )


def test_a_second_beginning_is_a_second_span():
    """Two mentions side by side stay two."""
    assert [("Ana", Label.PATIENT), ("Ana", Label.PATIENT)] == found("Ana Ana, slept")


def test_a_text_without_tokens_has_no_mentions():
    """Nothing is decoded."""
    assert [] == found("")
    assert [] == found(" \n ")


def test_a_model_s_own_label_stands_in_the_source():
    """Ours is the span's label."""
    model = tagger(SURE, names={"PATIENT": Label.DOCTOR})
    (span,) = model.predict(document("Ana Okafor slept"), [])
    assert (Label.DOCTOR, "crf:PATIENT", 75) == (span.label, span.source, span.priority)
    assert 0.9 < span.score <= 1


def test_what_our_scheme_has_nothing_of_is_told_on_demand():
    """A label without one of ours gives no span, unless the whole of its corpus is asked for."""
    model = tagger(SURE, names={"PATIENT": None})
    text = document("Ana Okafor slept")
    assert [] == model.predict(text, [])
    (span,) = model.whole().predict(text, [])
    assert (Label.OTHER, "crf:PATIENT") == (span.label, span.source)


def weak(weight):
    """The words protected by a model that leans as much towards a name."""
    model = tagger({("w0=ana", "B-PATIENT"): weight}, threshold=0.2)
    seen = model.read(document("slept Ana slept"), [])
    return {step: len(model.spans(seen, {"all": step})) for step in (0.1, 0.5, 0.9)}


def test_thresholds_are_a_dial():
    """One reading gives spans for any thresholds; lower ones protect more."""
    counts = weak(1.0)
    assert counts[0.1] >= counts[0.5] >= counts[0.9]
    assert counts[0.1] > counts[0.9]


@st.composite
def weights(draw):
    """Random weights of words and line breaks."""
    rng = random.Random(draw(st.integers(0, 10_000)))
    return {(f"w0={w}", label): rng.uniform(-3, 3) for w in WORDS for label in LABELS}


@given(weights(), TEXTS, st.sampled_from([0.05, 0.3, 0.7]))
def test_spans_lie_within_the_text(states, text, threshold):
    """They are disjoint and ascending, begin and end with tokens, and never with a line break."""
    spans = tagger(states, threshold=threshold).predict(document(text), [])
    assert all(0 <= s.start < s.end <= len(text) for s in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))
    assert all(text[s.start : s.end] == text[s.start : s.end].strip() for s in spans)


@pytest.mark.parametrize("form", ["\n", "\n\n"])
def test_breaks_at_the_edges_of_a_mention_are_left_out(form):
    """Also where the chain labels them; inside a mention they stay."""
    states = {("w0=<br>", "B-PATIENT"): 9.0, ("w0=<p>", "B-PATIENT"): 9.0}
    text = f"slept{form}Ana{form}slept"
    spans = tagger(states | SURE).predict(document(text), [])
    assert all("\n" not in text[s.start] + text[s.end - 1] for s in spans)


@pytest.mark.parametrize("marks", ["^", "^ ^", "' ("])
def test_marks_alone_are_no_mention(marks):
    """Whatever label the model has for them."""
    states = SURE | {(f"w0={mark}", "B-PATIENT"): 20.0 for mark in "^'("}
    assert tagger(states).predict(document(f"slept {marks} slept"), []) == []


NAMED = {
    ("g=blank", "O"): 4.0, ("g=glued", "O"): 4.0, ("g=wide", "O"): 4.0,
    ("y=PATIENT", "B-PATIENT"): 9.0,
    ("w-2=patient", "B-PATIENT"): 9.0,
}  # fmt: skip


def again(text, headings):
    """What a model that knows the form "Patient: X" finds, with headings that vouch."""
    spans = tagger(NAMED, headings=headings).predict(document(text), [])
    return [text[s.start : s.end] for s in spans]


def test_what_a_heading_vouches_for_is_found_elsewhere():
    """In a second phase, for models that know such headings."""
    text = "Patient: Okafor\nslept\nmet OKAFOR and Ana"
    assert ["Okafor"] == again(text, {})
    assert ["Okafor", "OKAFOR"] == again(text, {"patient": "PATIENT"})


def test_a_heading_vouches_for_its_own_label_only():
    """A mention of another label under it proves nothing."""
    assert ["Okafor"] == again("Patient: Okafor\nmet OKAFOR", {"patient": "DATE"})
    assert ["Okafor"] == again("Patient: Okafor\nmet OKAFOR", {"name": "PATIENT"})


@pytest.mark.parametrize("joint", ["and", "und", "AND", "-", "\u2013", "/", ":", ";"])
def test_a_final_and_or_separator_is_no_part_of_a_mention(joint):
    """Between two names it ends the first; a mention of nothing else is none."""
    states = {**SURE, (f"w0={joint.lower()}", "I-PATIENT"): 9.0}
    text = f"slept, Ana Okafor {joint} slept"
    spans = tagger(states).predict(document(text), [])
    assert [text[s.start : s.end] for s in spans] == ["Ana Okafor"]
    alone = {**SURE, (f"w0={joint.lower()}", "B-PATIENT"): 9.0}
    assert tagger(alone).predict(document(f"slept {joint} slept"), []) == []


def test_an_and_within_a_mention_stays():
    """Only the last word is left out."""
    states = {**SURE, ("w0=and", "I-PATIENT"): 9.0}
    text = "slept, Ana and Okafor slept"
    spans = tagger(states).predict(document(text), [])
    assert [text[s.start : s.end] for s in spans] == ["Ana and Okafor"]


@pytest.mark.parametrize(
    ("threshold", "least"), [(0.02, 0.04), (0.1, 0.2), (0.25, 0.5), (0.4, 0.5), (0.7, 0.7)]
)
def test_a_mention_without_others_needs_more(threshold, least):
    """Twice the greatest threshold, but no more than one half unless the threshold is higher."""
    assert needed_alone({"names": threshold, "quantities": 0.01}) == pytest.approx(least)


def test_without_thresholds_nothing_is_needed():
    """A model without chains finds nothing, whatever it needs."""
    assert needed_alone({}) == 0
