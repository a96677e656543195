"""Cost of hostile input: eight times the input takes about eight times as long."""

from __future__ import annotations

import time

import pytest

from adapter.codecs.hl7v2.delimiters import Delimiters
from adapter.codecs.hl7v2.escapes import escapes_for
from adapter.types import Edit

MOST = 4
"""Times the linear growth, with room for a busy machine; what is quadratic has 8."""


def seconds(pattern: str, count: int) -> float:
    """Time to write a leaf of ``count`` patterns with an edit in every fourth of them."""
    escapes = escapes_for(Delimiters(), "utf-8")
    raw = pattern * count
    text, pieces = escapes.read(raw)
    edits = [Edit("", at, at + 1, "zz") for at in range(0, len(text) - 1, 4 * len(pattern))]
    start = time.process_time()
    escapes.rewrite(raw, pieces, text, edits)
    return time.process_time() - start


@pytest.mark.parametrize(
    "pattern", ["word\\.br\\", "R\\T\\", "\\M2442\\ab", "a\\H\\b\\N\\", "\\X41\\"]
)
def test_edits_between_escapes_cost_as_much_each(pattern):
    """Edits of a text with many escape sequences are linear in both."""
    few = min(seconds(pattern, 2_000) for _ in range(3))
    many = min(seconds(pattern, 16_000) for _ in range(5))
    assert many / (8 * few) < MOST
