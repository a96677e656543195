"""The types of a row of tokens from the scores of each, where changes of type cost something."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from adapter.methods.arrays import Array


def smoothed(scores: Array, cost: float) -> list[int]:
    """Return the column of each row whose sum of scores is best, less ``cost`` for each change.

    ``scores``: float (tokens, types); with a cost of 0 each token has its best type.
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
