"""Vectors of what lexicons and word clusters say of a word."""

from __future__ import annotations

import numpy as np
import pytest

from adapter.taggers.crf.word_stats import WordStats
from adapter.taggers.wordlists import Lexicon
from adapter.train.word_knowledge import WIDTH, vectors_of

LEXICONS = {
    "city": Lexicon.parse("cadiz\t9\nlima\t20\nsan juan\t5"),
    "job": Lexicon.parse("herrero"),
}
STATS = WordStats.parse(
    "0000000000\t9\tLima\n0000000011\t7\tlima fiebre\n0000000011\t3\ttos\n1111111111\t2\tarena"
)


@pytest.fixture(scope="module")
def vectors():
    """The vector of each word of a small world."""
    words, values = vectors_of(LEXICONS, STATS)
    return dict(zip(words, values, strict=True))


def test_every_single_word_of_lists_and_clusters_has_a_vector(vectors):
    """Items of several words have none; the width is even, as the file of vectors asks."""
    assert ["arena", "cadiz", "fiebre", "herrero", "lima", "tos"] == sorted(vectors)
    assert all(len(vector) % 2 == 0 for vector in vectors.values())


def test_a_word_says_how_strong_it_is_in_each_list(vectors):
    """Stronger items have greater numbers, words of no list zero."""
    city, job = WIDTH, WIDTH + 1
    assert 0 < vectors["cadiz"][city] < vectors["lima"][city]
    assert 0 == vectors["herrero"][city] == vectors["tos"][city] == vectors["cadiz"][job]
    assert vectors["herrero"][job] > 0


def test_words_of_one_branch_are_alike(vectors):
    """A form's commonest spelling decides its cluster; words of no cluster have no such numbers."""
    alike = {word: vector[:WIDTH] for word, vector in vectors.items()}
    assert np.array_equal(alike["fiebre"], alike["tos"])
    assert not np.array_equal(alike["lima"], alike["tos"])
    assert not alike["cadiz"].any()
    near, far = (np.linalg.norm(alike[word] - alike["tos"]) for word in ("lima", "arena"))
    assert near < far


def test_the_same_lists_give_the_same_vectors(vectors):
    """Random numbers depend on the branch alone."""
    again = dict(zip(*vectors_of(LEXICONS, STATS), strict=True))
    assert all(np.array_equal(again[word], vector) for word, vector in vectors.items())
