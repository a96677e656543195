"""Smoothing: the best types of a sequence of tokens, with a cost for each change of type."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from adapter.methods.arrays import Array


def smoothed(scores: Array, cost: float) -> list[int]:
    """Return the columns, one per row, with the greatest sum of scores minus costs of changes.

    ``scores``: float (tokens, types). Each change of column costs ``cost``; with 0, each token gets
    its best type.
    """
    tokens, types = scores.shape
    if not tokens:
        return []
    best = scores[0].astype(np.float64)
    before = np.zeros((tokens, types), np.int32)
    own = np.arange(types)
    for place in range(1, tokens):
        other = int(best.argmax())
        changed = best[other] - cost
        before[place] = np.where(best >= changed, own, other)
        best = np.maximum(best, changed) + scores[place]
    found = [int(best.argmax())]
    for place in range(tokens - 1, 0, -1):
        found.append(int(before[place, found[-1]]))
    return found[::-1]
