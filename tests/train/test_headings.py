"""Headings that vouch: those whose values are nearly always mentions of one label."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from adapter.train.headings import entropy, unambiguous
from tests.taggers.texts import document
from tests.train.training_runs import notes, training_run


def learned(*labels, name="Name"):
    """Headings of as many texts; a label is that of a text's mention, "" for none."""
    text = f"{name}: Ana"
    start = text.index("Ana")
    return unambiguous(
        (document(text), [(start, start + 3, label)] if label else []) for label in labels
    )


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["P"] * 5, {"name": "P"}),
        (["P"] * 4, {}),
        (["P"] * 9 + [""], {"name": "P"}),
        (["P"] * 8 + [""] * 2, {}),
        (["P"] * 99 + ["D"], {"name": "P"}),
        (["P"] * 8 + ["D"], {}),
    ],
)
def test_a_heading_is_unambiguous(labels, expected):
    """Five mentions, nine values in ten with one, and less than 0.1 bits of entropy."""
    assert expected == learned(*labels)


def test_entropy_is_in_bits():
    """None for one label, one bit for two as frequent ones."""
    assert (0, 1, 2) == tuple(abs(entropy(Counter(labels))) for labels in ("aa", "ab", "abcd"))


def test_a_model_of_two_phases_learns_its_headings():
    """From originals, by their labels for the model; a model of one phase has none."""
    assert {"patient": "OWN_PATIENT"} == _of(phases=2, labels="source")
    assert {"patient": "PATIENT"} == _of(phases=2)
    assert {} == _of(phases=1)


def _of(**more):
    made = training_run(notes(12), **more)
    return made.headings(made.examples)


def _twice(text):
    """A note whose patient comes again."""
    patient = text.text[text.mentions[0].start : text.mentions[0].end]
    return replace(text, text=f"{text.text}{patient} left.\n")


@pytest.mark.parametrize("phases", [1, 2])
def test_two_phases_teach_what_is_recalled(phases):
    """A model that has seen names recalled has features of it; one of one phase has not."""
    made = training_run([_twice(text) for text in notes(12)], phases=phases)
    weights = made.fitted(made.examples, made.headings(made.examples))
    names = made.tagger(weights)._model.chains.attributes
    assert (phases == 2) == ("y=PATIENT" in names)
