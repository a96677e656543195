"""Clusters, commonness and shorter vectors made of pretrained vectors of words."""

from __future__ import annotations

import numpy as np
import pytest

from adapter.taggers.crf.word_stats import WordStats
from adapter.train.word_clusters import DEPTH, FEWEST, clusters, reduced, stats_of

TOWNS, DRUGS = "Lyon Brest Metz Nancy Rodez".split(), "aspirine codéine morphine insuline".split()


@pytest.fixture
def vectors():
    """Eight towns near one point and eight drugs near another."""
    draw = np.random.default_rng(5)
    points = np.repeat([[4.0, 0, 0, 1], [0, 4.0, 1, 0]], 8, axis=0)
    return (points + draw.normal(0, 0.2, points.shape)).astype(np.float32)


def test_near_vectors_begin_with_the_same_bits(vectors):
    """The first bit parts the two meanings; the same vectors have the same paths."""
    paths = clusters(vectors)
    towns, drugs = {path[0] for path in paths[:8]}, {path[0] for path in paths[8:]}
    assert (1, 1, set("01")) == (len(towns), len(drugs), towns | drugs)
    assert paths == clusters(vectors)


def test_paths_are_of_bounded_length():
    """Equal vectors cannot be split for ever, and small groups are not split."""
    same = np.ones((3 * FEWEST, 4), np.float32)
    assert max(map(len, clusters(same))) <= DEPTH
    assert [""] * (FEWEST - 1) == clusters(np.eye(FEWEST - 1, dtype=np.float32))


def test_statistics_have_words_of_letters(vectors):
    """Words of one row share its cluster; commoner words are in higher bands."""
    forms = [*TOWNS, *["1998"] * 50, *DRUGS]
    rows = np.array([0, 0, 1, 2, 3, *[4] * 50, 8, 9, 10, 11])
    found = WordStats.parse(stats_of(forms, vectors, rows, 6))
    assert {*TOWNS, DRUGS[0]} == set(found.bands)
    assert found.cluster("Lyon") == found.cluster("Brest") != found.cluster("aspirine")
    assert found.band("Lyon") > found.band("aspirine")


def test_reduced_vectors_keep_what_differs(vectors):
    """Of two numbers, one tells towns from drugs; the spread is that of GloVe's."""
    small = reduced(vectors, 2)
    assert ((16, 2), np.float32) == (small.shape, small.dtype)
    assert small.std() == pytest.approx(0.4, abs=0.001)
    assert (small[:8, 0] > 0).all() != (small[8:, 0] > 0).all()
