"""Confusion matrix and kappa."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from sklearn.metrics import cohen_kappa_score

from adapter.evaluate.agreement import between, blind, confusion, kappa
from adapter.evaluate.token_labels import TokenLabels, label_tokens
from tests.evaluate.cases import document, found, pairs


@settings(max_examples=60)
@given(pairs())
def test_kappa_is_that_of_scikit_learn(cases):
    """With labels, and as PHI or not."""
    labels = [label_tokens(case) for case in cases]
    gold = [label for each in labels for label in each.gold]
    predicted = [label for each in labels for label in each.predicted]
    for counts, one, two in (
        (confusion(labels), gold, predicted),
        (blind(confusion(labels)), [bool(x) for x in gold], [bool(x) for x in predicted]),
    ):
        result = cohen_kappa_score(one, two) if set(one) | set(two) != {one[0]} else 1.0
        assert (1.0 if math.isnan(result) else result) == pytest.approx(kappa(counts))


def test_confusion_counts_words():
    """By gold and by what was found; "" is neither."""
    case = document("Ann Lee in Rome", (0, 7, "PATIENT")), found((4, 7, "DOCTOR"), (11, 15, "CITY"))
    expected = {
        ("PATIENT", ""): 1,
        ("PATIENT", "DOCTOR"): 1,
        ("", ""): 1,
        ("", "CITY"): 1,
    }
    assert expected == dict(confusion([label_tokens(case)]))


def test_a_bare_category_agrees():
    """Gold NAME found as DOCTOR is full agreement."""
    case = document("Ann Lee in Rome", (0, 7, "NAME")), found((0, 7, "DOCTOR"))
    assert 1.0 == kappa(confusion([label_tokens(case)]))


def test_two_systems_agree_by_what_they_find():
    """Gold has no part in it."""
    one = TokenLabels(["A", ""], ["A", "B"], [1.0, 1.0])
    two = TokenLabels(["A", ""], ["", "B"], [0.0, 1.0])
    assert {("A", ""): 1, ("B", "B"): 1} == dict(between([one], [two]))


def test_kappa_by_hand():
    """The classic square: 20 and 15 agreed of 50, chance 0.5, so 0.4."""
    counts = confusion(
        [
            TokenLabels(
                ["A"] * 25 + ["B"] * 25,
                ["A"] * 20 + ["B"] * 5 + ["A"] * 10 + ["B"] * 15,
                [1.0] * 50,
            )
        ]
    )
    assert pytest.approx(0.4) == kappa(counts)
