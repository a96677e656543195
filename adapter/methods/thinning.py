"""Selection of the tokens to train on: most tokens outside mentions are not needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adapter.methods.labelled_tokens import OUTSIDE

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from adapter.methods.arrays import Array

NEAR = 5
"""Greatest distance from a mention, in tokens, at which every token is used."""
EVERY = 4


def weights_of(types: Sequence[str], always: Collection[int] = ()) -> Array:
    """Return the weight of each token: float64 (tokens,), 0 for tokens not learned from.

    Tokens in or near mentions, and tokens at the places ``always``, weigh 1. Of all others every
    fourth weighs 4.
    """
    near = np.zeros(len(types), bool)
    near[list(always)] = True
    for place, kind in enumerate(types):
        if kind != OUTSIDE:
            near[max(0, place - NEAR) : place + NEAR + 1] = True
    rest = np.where(np.arange(len(types)) % EVERY == 0, EVERY, 0)
    return np.where(near, 1, rest).astype(float)
