"""Inference in linear-chain CRFs: posteriors and best paths of many segments of tokens at a time.

Scores, posteriors and weights are float32, sums of probabilities float64, positions intp.
"""

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
"""Runs of tokens whose greatest probability of being inside is at most this are not decoded."""
_NIL = 1e-4
"""A token whose probability of being inside is at most this is outside on the best path."""
_STEPS = 8
"""Steps after which sums are normalised to 1, long before overflow or underflow."""


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """State scores and posteriors of one chain, each float32 (tokens, labels)."""

    chain: Chain
    scores: Floats = field(repr=False)
    posteriors: Floats = field(repr=False)

    def labels(self, threshold: float, firsts: Sequence[int]) -> Places:
        """Return the label of each token on the best path: intp (tokens,), columns of ``scores``.

        Every token whose probability of being inside a mention exceeds ``threshold`` gets a label
        other than `OUTSIDE`. ``firsts`` are the first tokens of the segments.
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
    """Return starts and ends of runs of tokens that may be inside, one of them above ``least``.

    ``inside`` is float32 (tokens,), the probability of being inside a mention; the results are intp
    (runs,). A run lies within one segment; the tokens of the segment around it are outside.
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
    """Segments by descending length, so that one operation does step t of all long enough segments.

    ``forward``, intp (tokens,), lists tokens by step, counted from the first token of each segment.
    ``turned``, intp (tokens,), lists by step from the last token of each segment the indices of its
    tokens in ``forward``. ``borders``, (steps + 1), are the indices at which steps begin and end.
    """

    forward: Places = field(repr=False)
    turned: Places = field(repr=False)
    borders: list[int] = field(repr=False)

    @classmethod
    def of(cls, begins: Places, lengths: Places) -> Order:
        """Order segments by their first tokens and lengths, each intp (segments,)."""
        descending = np.argsort(-lengths, kind="stable")
        begins, lengths = begins[descending], lengths[descending]
        steps = np.arange(lengths[0])
        alive = np.searchsorted(-lengths, -steps)
        ends = alive.cumsum()
        step = np.repeat(steps, alive)
        rank = np.arange(ends[-1]) - np.repeat(ends - alive, alive)
        last = lengths[rank] - 1 - step
        return cls(begins[rank] + step, (ends - alive)[last] + rank, [0, *ends.tolist()])


class Passes:
    """Forward and backward passes of all chains of a model, one operation per step for all."""

    def __init__(self, chains: Sequence[Chain]) -> None:
        """Take chains; their transitions are padded to the greatest number of labels."""
        widest = max(len(chain.labels) for chain in chains)
        moves = np.zeros((2, len(chains), widest, widest))
        for number, chain in enumerate(chains):
            width = len(chain.labels)
            moves[0, number, :width, :width] = np.exp(chain.transitions)
            moves[1, number, :width, :width] = np.exp(chain.transitions).T
        self._chains = chains
        self._moves = moves

    def posteriors(self, scores: Floats, order: Order) -> list[Floats]:
        """Return the marginal probability of each label, float32 (tokens, labels) for each chain.

        ``scores`` is float32 (tokens, columns), the columns of all chains side by side.
        """
        factors = self._factors(scores[order.forward])
        sums = np.empty((2, *factors.shape))
        sums[0], sums[1] = factors, factors.take(order.turned, axis=1)
        messages = _messages(sums, self._moves, order.borders)
        factors *= messages[0]
        factors *= messages[1].take(order.turned, axis=1)
        factors /= factors.sum(axis=2, keepdims=True)
        found = []
        for number, chain in enumerate(self._chains):
            own = np.empty((len(scores), len(chain.labels)), np.float32)
            own[order.forward] = factors[number, :, : len(chain.labels)]
            found.append(own)
        return found

    def _factors(self, scores: Floats) -> Doubles:
        """Return exponentiated state scores, float64 (chains, tokens, labels), 0 for padding."""
        factors = np.zeros((len(self._chains), len(scores), self._moves.shape[2]))
        for number, chain in enumerate(self._chains):
            own = scores[:, chain.columns]
            factors[number, :, : own.shape[1]] = np.exp(own - own.max(axis=1, keepdims=True))
        return factors


def _messages(sums: Doubles, moves: Doubles, borders: Sequence[int]) -> Doubles:
    """Return the messages to each token from the tokens before (plane 0) and after it (plane 1).

    ``sums``, float64 (2, chains, tokens, labels), holds the factors of the tokens by step and is
    overwritten with the sums passed on; ``moves`` is float64 (2, chains, labels, labels). The
    result has the shape of ``sums``.
    """
    messages = np.ones_like(sums)
    for step in range(1, len(borders) - 1):
        before, first, last = borders[step - 1], borders[step], borders[step + 1]
        passed = sums[:, :, before : before + last - first]
        if step % _STEPS == 0:
            passed /= passed.sum(axis=3, keepdims=True)
        here = messages[:, :, first:last]
        np.matmul(passed, moves, out=here)
        sums[:, :, first:last] *= here
    return messages


def best_paths(scores: Floats, transitions: Floats, order: Order, found: Places) -> None:
    """Write the most probable path of each segment to ``found``, intp (tokens,) (Viterbi).

    ``scores`` is float32 (tokens, labels), ``transitions`` float32 (labels, labels), from row to
    column. Only the tokens of ``order`` are written.
    """
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
