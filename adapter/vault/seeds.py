"""What every store of random codes does: find an original's seed, or add one with its own code."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from adapter.errors import SurrogateError

if TYPE_CHECKING:
    from collections.abc import Callable

SEED_BYTES = 32
TRIES = 1024
"""Random codes drawn before a form counts as used up: enough where 99 of 100 are taken."""
PATIENCE = 5.0
"""Seconds in which the database must answer, less than a message may take."""


def kept(
    find: Callable[[], bytes | None],
    add: Callable[[bytes, str], bool],
    code: Callable[[bytes], str],
) -> bytes:
    """Find the seed, or add a random one whose code is nobody else's.

    ``add`` says whether the row is new; if not, another process was first, or the code is taken.

    Raises:
        SurrogateError: no code is left.
    """
    for _ in range(TRIES):
        seed = find()
        if seed is not None:
            return seed
        seed = os.urandom(SEED_BYTES)
        if add(seed, code(seed)):
            return seed
    raise SurrogateError("no-candidate")
