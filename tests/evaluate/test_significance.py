"""Tests between two systems."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.evaluate.scores import Score
from adapter.evaluate.significance import EXACT, mcnemar, mcnemar_of, randomize
from adapter.evaluate.token_labels import TokenLabels

SCORES = st.builds(Score, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))


def labels(gold, predicted):
    """Words labelled A, B or nothing (a blank)."""
    return [TokenLabels(*([x.strip() for x in row] for row in (gold, predicted)), [1.0] * 9)]


def test_mcnemar_counts_who_alone_is_right():
    """PHI or not, and with labels."""
    one, two = labels("AA  ", "AB A"), labels("AA  ", "A   ")
    assert (1, 1, 1.0) == result(mcnemar(one, two))
    assert (0, 1, 1.0) == result(mcnemar(one, two, blind=False))


def result(test):
    """Its counts and p."""
    return test.first_only, test.second_only, test.p


@pytest.mark.parametrize(
    ("one", "two", "p"),
    [(0, 0, 1.0), (5, 5, 1.0), (0, 5, 0.0625), (1, 9, 22 / 1024), (10, 2, 158 / 4096)],
)
def test_mcnemar_is_exact_for_few(one, two, p):
    """Twice the binomial's tail, at most 1."""
    assert (pytest.approx(p), True) == (mcnemar_of(one, two).p, mcnemar_of(one, two).exact)


def test_mcnemar_is_corrected_for_many():
    """Chi-squared 3.841 is five in a hundred, and both ways agree where they meet."""
    many = mcnemar_of(1063, 937)
    assert not many.exact
    assert pytest.approx(0.0052, abs=2e-4) == many.p
    edge = mcnemar_of(540, 460), mcnemar_of(541, 461)
    assert [True, False] == [test.exact for test in edge]
    assert pytest.approx(edge[0].p, rel=0.02) == edge[1].p
    assert EXACT == 1000


def test_mcnemar_of_equal_halves_is_one():
    """However many they are."""
    assert (1.0, 1.0) == (mcnemar_of(900, 900).p, mcnemar_of(901, 900).p)


def test_randomization_finds_a_difference():
    """Twelve documents better in all: two in 4,096 swaps differ as much."""
    better, worse = [Score(9, 0, 1)] * 12, [Score(5, 0, 5)] * 12
    test = randomize(better, worse, Score.f, rounds=2000)
    assert (pytest.approx(18 / 19), pytest.approx(10 / 15)) == (test.first, test.second)
    assert 1 / 2001 <= test.p < 0.005


def test_randomization_of_one_document_finds_none():
    """Swapping it all changes nothing."""
    assert 1.0 == randomize([Score(9, 0, 0)], [Score(1, 0, 8)], Score.f, rounds=99).p


def test_randomization_agrees_with_all_swaps():
    """With few documents p is near the share of all swaps that differ as much."""
    one = [Score(5, 1, 2), Score(3, 0, 4), Score(6, 2, 0), Score(2, 2, 2), Score(4, 0, 0)]
    two = [Score(4, 2, 3), Score(4, 1, 3), Score(4, 3, 2), Score(2, 1, 2), Score(3, 0, 1)]

    def difference(mask):
        here = [b if mask >> n & 1 else a for n, (a, b) in enumerate(zip(one, two, strict=True))]
        there = [a if mask >> n & 1 else b for n, (a, b) in enumerate(zip(one, two, strict=True))]
        return abs(sum(here, Score()).f() - sum(there, Score()).f())

    exact = sum(difference(mask) >= difference(0) - 1e-12 for mask in range(32)) / 32
    assert pytest.approx(exact, abs=0.02) == randomize(one, two, Score.f, rounds=9999).p


@given(st.lists(SCORES, min_size=1, max_size=6), st.integers(0, 99))
def test_a_system_does_not_differ_from_itself(scores, seed):
    """The chance is 1, and the same seed gives the same."""
    test = randomize(scores, scores, Score.f, rounds=20, seed=seed)
    assert 1.0 == test.p
    assert test == randomize(scores, scores, Score.f, rounds=20, seed=seed)
