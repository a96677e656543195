"""Pairs and triples of words and of shapes, as a unit sees them around it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

GRAMS: tuple[Mapping[str, int], ...] = (
    {"ab=": 0, "aw=": 1, "wy=": 2, "yz=": 3},
    {"ay=": 1},
    {"rs=": 1, "st=": 2},
    {"qrs=": 0, "rst=": 1, "stu=": 2},
)
"""Pairs of words, of words around another, of shapes; triples of shapes: their features by shift.

Unit i has the feature ``prefix + runs[i + shift]`` for each prefix; see `grams`.
"""
_EDGE = ["", ""]
"""What stands before the first unit and after the last one."""


def grams(words: Sequence[str], shapes: Sequence[str]) -> tuple[list[str], ...]:
    """Return the runs of each entry of `GRAMS`; the first begins two places before unit 0."""
    words, shapes = [*_EDGE, *words, *_EDGE], [*_EDGE, *shapes, *_EDGE]
    pairs = [f"{a}|{b}" for a, b in pairwise(shapes)]
    return (
        [f"{a}|{b}" for a, b in pairwise(words)],
        [f"{a}|{b}" for a, b in zip(words, words[2:], strict=False)],
        pairs,
        [f"{pair}|{c}" for pair, c in zip(pairs, shapes[2:], strict=False)],
    )
