"""Batches to learn from: every segment once an epoch, few shapes, rare words forgotten."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapter.methods.bilstm_crf import training
from adapter.methods.bilstm_crf.training import RATE, corpus_of
from adapter.taggers.neural.vocabulary import UNKNOWN, vocabulary_of
from tests.methods.bilstm_crf.networks import tokens


def corpus(*texts):
    """Texts, none of whose tokens is a mention, as a corpus."""
    found = [tokens(text) for text in texts]
    pairs = [(one, ["O"] * len(one)) for one in found]
    rows = [SimpleNamespace(tokens=one, labels=labels) for one, labels in pairs]
    return corpus_of(rows, vocabulary_of(pairs)), found


def test_texts_stand_one_behind_the_other():
    """Words, spellings and segments of the second text are found behind those of the first."""
    made, found = corpus("seen by Ana\nno fever", "no fever\nseen by Ben")
    assert sum(map(len, found)) == len(made.labels) == len(made.encoded.words)
    assert [4, 2, 3, 3] == made.lengths.tolist()
    assert [0, 4, 6, 9] == made.begins.tolist()
    seen = [made.encoded.spellings[form].tolist() for form in made.encoded.forms]
    assert seen[0] == seen[9] != seen[1] == seen[10]


@given(st.lists(st.integers(1, 100), min_size=1, max_size=300), st.integers(64, 512))
def test_each_segment_is_in_one_batch(sizes, size):
    """An epoch reads every segment once, in batches that hold it."""
    lengths = np.array(sizes, np.intp)
    batches = training._cut(lengths, training._ladder(lengths), size, np.random.default_rng(1))
    seen = []
    for chosen, steps, room in batches:
        assert 0 < len(chosen) <= room
        assert max(lengths[chosen]) <= steps
        seen += chosen.tolist()
    assert list(range(len(sizes))) == sorted(seen)


def test_few_texts_have_one_shape():
    """Lengths that few tokens have are not compiled for; those of many are."""
    assert [11] == training._ladder(np.array([5, 8, 11]))
    assert [8, 11] == training._ladder(np.array([*[5] * 2000, 11]))


def test_rare_words_are_forgotten_more_often():
    """A word that stands once is unknown half of the time, a frequent one hardly ever."""
    words = np.array([2] * 999 + list(range(3, 1002)), np.int32)
    found = training._forgetful(words, np.random.default_rng(1))
    assert 0 <= np.sum(found[:999] == UNKNOWN) < 10
    assert np.mean(found[999:] == UNKNOWN) == pytest.approx(0.5, abs=0.1)
    assert set(found.tolist()) <= {UNKNOWN, *words.tolist()}


def test_the_rate_goes_up_and_down():
    """The rate begins and ends at nothing, and is highest when warming ends."""
    rates = [training._rate(share / 100) for share in range(101)]
    assert 0 == rates[0]
    assert RATE == max(rates) == rates[5]
    assert rates[100] == pytest.approx(0)
    assert rates[5:] == sorted(rates[5:], reverse=True)
