"""Tests of whether two systems differ by more than chance."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapter.evaluate.levels import agree
from adapter.evaluate.scores import Score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from adapter.evaluate.token_labels import TokenLabels

EXACT = 1000
"""Greatest number of discordant tokens for which McNemar's test is exact."""


@dataclass(frozen=True, slots=True)
class McNemar:
    """Numbers of tokens that only one of two systems has right, and the two-sided p-value."""

    first_only: int
    second_only: int
    p: float
    exact: bool


def mcnemar(
    first: Iterable[TokenLabels], second: Iterable[TokenLabels], *, blind: bool = True
) -> McNemar:
    """Test whether two systems have equal error rates by token (McNemar 1947).

    The test is the exact binomial up to `EXACT` discordant tokens, else chi-squared with
    Edwards's correction for continuity. With ``blind`` a token is right if it is protected exactly
    when gold is, whatever the label.
    """
    ones = twos = 0
    for here, there in zip(first, second, strict=True):
        for gold, one, two in zip(here.gold, here.predicted, there.predicted, strict=True):
            right, other = _right(gold, one, blind=blind), _right(gold, two, blind=blind)
            ones += right and not other
            twos += other and not right
    return mcnemar_of(ones, twos)


def mcnemar_of(first_only: int, second_only: int) -> McNemar:
    """Test two counts of discordant cases."""
    cases, fewer = first_only + second_only, min(first_only, second_only)
    if cases <= EXACT:
        tail = 2 * sum(math.comb(cases, k) for k in range(fewer + 1))
        return McNemar(first_only, second_only, min(1.0, tail / 2**cases), exact=True)
    distance = max(0, abs(first_only - second_only) - 1)
    p = math.erfc(math.sqrt(distance * distance / cases / 2))
    return McNemar(first_only, second_only, p, exact=False)


def _right(gold: str, predicted: str, *, blind: bool) -> bool:
    return bool(gold) == bool(predicted) if blind else agree(gold, predicted)


@dataclass(frozen=True, slots=True)
class Randomization:
    """The measure of both systems, and the p-value of their difference."""

    first: float
    second: float
    p: float
    rounds: int


def randomize(
    first: Sequence[Score],
    second: Sequence[Score],
    measure: Callable[[Score], float],
    *,
    rounds: int = 9999,
    seed: int = 0,
) -> Randomization:
    """Test a difference by approximate randomization of documents (Noreen 1989; Yeh 2000).

    ``first`` and ``second`` are scores of the same documents in the same order. Each round swaps
    the systems' outputs of each document with probability 1/2; p = (rounds with at least the
    observed difference + 1) / (rounds + 1).
    """
    one, two = sum(first, Score()), sum(second, Score())
    seen = abs(measure(one) - measure(two))
    moves = [
        (b.tp - a.tp, b.fp - a.fp, b.fn - a.fn)
        for a, b in zip(first, second, strict=True)
        if a != b
    ]
    draw = random.Random(seed)  # noqa: S311 - a test of significance, no secret
    as_great = sum(
        _difference(one, two, moves, draw.getrandbits(len(moves) or 1), measure) >= seen - 1e-12
        for _ in range(rounds)
    )
    return Randomization(measure(one), measure(two), (as_great + 1) / (rounds + 1), rounds)


def _difference(
    one: Score,
    two: Score,
    moves: Sequence[tuple[int, int, int]],
    mask: int,
    measure: Callable[[Score], float],
) -> float:
    """Return the difference after swapping the documents whose bit of ``mask`` is set."""
    tp = fp = fn = 0
    for move in moves:
        if mask & 1:
            tp, fp, fn = tp + move[0], fp + move[1], fn + move[2]
        mask >>= 1
    here = Score(one.tp + tp, one.fp + fp, one.fn + fn)
    there = Score(two.tp - tp, two.fp - fp, two.fn - fn)
    return abs(measure(here) - measure(there))
