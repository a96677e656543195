"""Posteriors and best paths of linear chains over segments of tokens, many segments at a time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from adapter.taggers.crf.weights import Chain, Floats

    Places = NDArray[np.intp]
    Doubles = NDArray[np.float64]

_NEVER = np.float32(-1e6)
_LEAST = 0.3
"""Tokens that are all less probably inside have no best path inside."""
_NIL = 1e-4
"""A token that is less probably inside is outside on the best path."""
_STEPS = 8
"""Steps after which sums are brought back to 1: long before they leave the range of numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """State scores and posteriors of one chain: an array of tokens by labels each."""

    chain: Chain
    scores: Floats = field(repr=False)
    posteriors: Floats = field(repr=False)

    def labels(self, threshold: float, firsts: Sequence[int]) -> Places:
        """Return the column of each token's label on the best path.

        No token that is inside a mention with more than that probability is left outside.
        """
        inside = 1.0 - self.posteriors[:, 0]
        found = np.zeros(len(inside), dtype=np.intp)
        begins, ends = _runs(inside, min(threshold, _LEAST), firsts)
        if len(begins):
            scores = self.scores.copy()
            scores[inside > threshold, 0] = _NEVER
            within = np.zeros(len(inside) + 1, dtype=bool)
            within[firsts] = within[-1] = True
            moves = self.chain.transitions
            scores[begins[~within[begins]]] += moves[0]
            scores[(ends - 1)[~within[ends]]] += moves[:, 0]
            best_paths(scores, moves, Order.of(begins, ends - begins), found)
        return found


def _runs(inside: Floats, least: float, firsts: Sequence[int]) -> tuple[Places, Places]:
    """Begins and ends of runs of tokens that may be inside, one of them more than ``least``.

    A run lies in one segment; before and after it a segment goes on outside.
    """
    doubtful = inside > _NIL
    begins = doubtful.copy()
    begins[1:] &= ~doubtful[:-1]
    begins[firsts] = doubtful[firsts]
    starts = begins.nonzero()[0]
    if not len(starts):
        return starts, starts
    run = begins.cumsum()
    lengths = np.bincount(run[doubtful], minlength=len(starts) + 1)[1:]
    hit = np.maximum.reduceat(inside, starts) > least
    return starts[hit], (starts + lengths)[hit]


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """Segments by descending length, so that step t of all that are long enough is one operation.

    ``forward`` are their tokens by step, from the first token of each on; ``turned`` are the places
    there that those tokens take which come by step from the last token of each on. ``borders`` are
    where steps begin and end.
    """

    forward: Places = field(repr=False)
    turned: Places = field(repr=False)
    borders: list[int] = field(repr=False)

    @classmethod
    def of(cls, begins: Places, lengths: Places) -> Order:
        """Order segments by where they begin and how long they are."""
        descending = np.argsort(-lengths, kind="stable")
        begins, lengths = begins[descending], lengths[descending]
        steps = np.arange(lengths[0])
        alive = np.searchsorted(-lengths, -steps)
        ends = alive.cumsum()
        step = np.repeat(steps, alive)
        stretch = np.arange(ends[-1]) - np.repeat(ends - alive, alive)
        last = lengths[stretch] - 1 - step
        return cls(begins[stretch] + step, (ends - alive)[last] + stretch, [0, *ends.tolist()])


class Passes:
    """Forward and backward sums of all chains of a model, each step of all in one operation."""

    def __init__(self, chains: Sequence[Chain]) -> None:
        """Take chains."""
        widest = max(len(chain.labels) for chain in chains)
        moves = np.zeros((2, len(chains), widest, widest))
        for number, chain in enumerate(chains):
            width = len(chain.labels)
            moves[0, number, :width, :width] = np.exp(chain.transitions)
            moves[1, number, :width, :width] = np.exp(chain.transitions).T
        self._chains = chains
        self._moves = moves

    def posteriors(self, scores: Floats, order: Order) -> list[Floats]:
        """Marginal probability of each label of each token, for each chain."""
        factors = self._factors(scores[order.forward])
        sums = np.empty((2, *factors.shape))
        sums[0], sums[1] = factors, factors.take(order.turned, axis=1)
        told = _told(sums, self._moves, order.borders)
        factors *= told[0]
        factors *= told[1].take(order.turned, axis=1)
        factors /= factors.sum(axis=2, keepdims=True)
        found = []
        for number, chain in enumerate(self._chains):
            own = np.empty((len(scores), len(chain.labels)), np.float32)
            own[order.forward] = factors[number, :, : len(chain.labels)]
            found.append(own)
        return found

    def _factors(self, scores: Floats) -> Doubles:
        """What scores multiply probabilities by: chains by tokens by labels, 0 for none."""
        factors = np.zeros((len(self._chains), len(scores), self._moves.shape[2]))
        for number, chain in enumerate(self._chains):
            own = scores[:, chain.columns]
            factors[number, :, : own.shape[1]] = np.exp(own - own.max(axis=1, keepdims=True))
        return factors


def _told(sums: Doubles, moves: Doubles, borders: Sequence[int]) -> Doubles:
    """What each token is told of its label by those before it (plane 0) and after it (plane 1).

    ``sums`` are the factors of tokens by step, and become the sums that are passed on.
    """
    told = np.ones_like(sums)
    for step in range(1, len(borders) - 1):
        before, first, last = borders[step - 1], borders[step], borders[step + 1]
        passed = sums[:, :, before : before + last - first]
        if step % _STEPS == 0:
            passed /= passed.sum(axis=3, keepdims=True)
        here = told[:, :, first:last]
        np.matmul(passed, moves, out=here)
        sums[:, :, first:last] *= here
    return told


def best_paths(scores: Floats, transitions: Floats, order: Order, found: Places) -> None:
    """Write the most probable path of each segment to ``found`` (Viterbi)."""
    borders, ordered = order.borders, scores[order.forward]
    for step in range(1, len(borders) - 1):
        before, first, last = borders[step - 1], borders[step], borders[step + 1]
        reached = ordered[before : before + last - first]
        ordered[first:last] += (reached[:, :, None] + transitions).max(axis=1)
    best = np.zeros(len(ordered), dtype=np.intp)
    into = np.ascontiguousarray(transitions.T)
    after = 0
    for step in range(len(borders) - 2, -1, -1):
        first, last = borders[step], borders[step + 1]
        sums = ordered[first:last]
        if after:
            sums[:after] += into[best[last : last + after]]
        best[first:last] = sums.argmax(axis=1)
        after = last - first
    found[order.forward] = best
