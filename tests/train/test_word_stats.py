"""Wordbooks made of tables of word probabilities and clusters."""

from __future__ import annotations

import math

import pytest

from adapter.errors import RuleError
from adapter.taggers.crf.word_stats import WordStats
from adapter.train import word_stats
from adapter.train.word_stats import build_word_stats

TABLES = {
    "prob": {"the": -3.0, "Ana": -12.0, "ana": -14.0, "rare": -17.9, "3rd": -1.0, "x-y": -1.0},
    "cluster": {"the": 6, "Ana": 5, "ana": 5},
}


@pytest.fixture
def made(monkeypatch):
    """A word statistics of so many forms of the tables above."""
    monkeypatch.setattr(word_stats, "_table", lambda _, kind: TABLES[kind])
    return lambda forms: WordStats.parse(build_word_stats("qx", forms))


def test_the_most_common_words_are_taken(made):
    """Words of letters only, by their probability."""
    assert {"the", "Ana"} == set(made(2).bands)
    assert {"the", "Ana", "ana", "rare"} == set(made(9).bands)


def test_clusters_are_paths_from_the_root(made):
    """Stored last branch first, they are turned round; words of none have none."""
    book = made(9)
    assert ("011", "101", "") == (book.cluster("the"), book.cluster("Ana"), book.cluster("rare"))


def test_commoner_words_are_in_higher_bands(made):
    """Bands ascend with probability, from 0 to 15."""
    bands = made(9).bands
    assert 0 == bands["rare"] <= bands["ana"] < bands["Ana"] < bands["the"] <= 15


def test_a_band_is_the_same_for_equal_probabilities():
    """A word e times as probable is one band or two above, never below."""
    bands = [word_stats.band(-18 + step * math.log(2)) for step in range(40)]
    assert bands == sorted(bands)
    assert {0, 15} == {bands[0], bands[-1]}


def test_a_language_without_tables_is_refused():
    """No word statistics is made of nothing."""
    pytest.importorskip("spacy_lookups_data")
    with pytest.raises(RuleError, match="no cluster table for 'qx'"):
        build_word_stats("qx", 10)
