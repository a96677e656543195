"""Word statistics and reduced vectors from pretrained vectors of words.

For a language without Brown clusters, a tree of clusters is cut from vectors: each group of words
is split in two by 2-means (Lloyd 1982), begun on both sides of its first principal component, until
a path is `DEPTH` bits long or a group has fewer than `FEWEST` words. Near paths are near meanings,
as with Brown clusters (Brown 1992), whose place they take in ``words.txt``.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from adapter.train.word_stats import band, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from adapter.taggers.crf.weights import Floats

    Places = NDArray[np.intp]

DEPTH = 12
"""Greatest length of a path, bits."""
FEWEST = 8
"""Number of words from which a group is split."""
_ROUNDS = 12
_FIRST = 0.1
"""Probability of the commonest word; that of a word of rank r is this divided by r (Zipf 1949)."""


def stats_of(forms: Sequence[str], vectors: Floats, rows: Places, most: int) -> str:
    """Return the text of a ``words.txt``.

    Args:
        forms: words, the commonest first.
        vectors: float32 (rows, width); several words may share a row.
        rows: the row of each word, intp (words,).
        most: how many words of letters to keep.
    """
    paths = clusters(vectors)
    chosen = [
        (form, paths[row], band(math.log(_FIRST / rank)))
        for rank, (form, row) in enumerate(zip(forms, rows, strict=True), 1)
        if form.isalpha()
    ]
    return written(chosen[:most])


def clusters(vectors: Floats) -> list[str]:
    """Return the path of each row of vectors, float32 (rows, width), as bits."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    units = vectors / np.maximum(norms, np.finfo(np.float32).tiny)
    paths = [""] * len(units)
    groups: list[Places] = [np.arange(len(units))]
    for _ in range(DEPTH):
        halves = [half for group in groups for half in _split(units, group, paths)]
        groups = [half for half in halves if len(half) >= FEWEST]
    return paths


def reduced(vectors: Floats, width: int) -> Floats:
    """Return vectors of fewer numbers, float32 (rows, width): their first principal components.

    They are scaled to a standard deviation of 0.4, about that of GloVe's.
    """
    centred = vectors - vectors.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T.astype(np.float64) @ centred)
    shown = centred @ axes[:, ::-1][:, :width]
    small: Floats = (shown * (0.4 / shown.std())).astype(np.float32)
    return small


def _split(units: Floats, group: Places, paths: list[str]) -> list[Places]:
    if len(group) < FEWEST:
        return []
    upper = _side(units[group])
    halves = [group[~upper], group[upper]]
    for bit, half in zip("01", halves, strict=True):
        for row in half:
            paths[row] += bit
    return halves


def _side(values: Floats) -> NDArray[np.bool_]:
    """Return which of the values are on the second side, bool (values,)."""
    centred = values - values.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T.astype(np.float64) @ centred)
    axis = axes[:, -1] * np.sign(axes[np.argmax(np.abs(axes[:, -1])), -1])
    upper: NDArray[np.bool_] = centred @ axis > 0
    for _ in range(_ROUNDS):
        if upper.all() or not upper.any():
            break
        towards = values[upper].mean(axis=0) - values[~upper].mean(axis=0)
        middle = (values[upper].mean(axis=0) + values[~upper].mean(axis=0)) / 2
        upper = (values - middle) @ towards > 0
    return upper
