"""The algorithm of every vault: find an original's seed, or add one with a unique code."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from adapter.errors import SurrogateError

if TYPE_CHECKING:
    from collections.abc import Callable

SEED_BYTES = 32
TRIES = 1024
"""Codes drawn before a form counts as exhausted: enough if 99 of 100 are taken."""
PATIENCE = 5.0
"""Seconds within which the database must answer, less than a message may take."""


def kept(
    find: Callable[[], bytes | None],
    add: Callable[[bytes, str], bool],
    code: Callable[[bytes], str],
) -> bytes:
    """Return the existing seed, or add a random one whose code no other original has.

    ``add`` returns whether the row was added; if not, another process was first or the code is
    taken.

    Raises:
        SurrogateError: no unused code was found.
    """
    for _ in range(TRIES):
        seed = find()
        if seed is not None:
            return seed
        seed = os.urandom(SEED_BYTES)
        if add(seed, code(seed)):
            return seed
    raise SurrogateError("no-candidate")
