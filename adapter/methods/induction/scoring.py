"""Scores: the selectivity of contexts, and the support of terms by contexts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from adapter.methods.induction.contexts import NONE, is_bare

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from adapter.methods.induction.contexts import Occurrences

UNKNOWN = 0.5
"""Weight against a context of the logarithm (base 2) of its number of unclassified candidates.

The logarithm is used because a good context in a large corpus has many terms not yet known.
"""
SMOOTHING = 2.0
"""Weight against each context, so that a few terms do not make it certain."""
HALF = 0.5
"""Occurrences added against each term, so that one occurrence does not make it certain."""
_LEAST_TERMS = 3
"""Fewest terms of a class in a context."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The distinct pairs of terms and contexts.

    The contexts of term t are ``contexts[firsts[t]:firsts[t + 1]]`` (int32). ``spread`` is a
    context's number of texts, ``degrees`` its number of terms, ``support`` a term's number of
    occurrences.
    """

    found: Occurrences = field(repr=False)
    contexts: NDArray[np.int32] = field(repr=False)
    firsts: NDArray[np.int64] = field(repr=False)
    spread: NDArray[np.int64] = field(repr=False)
    degrees: NDArray[np.int64] = field(repr=False)
    support: NDArray[np.int64] = field(repr=False)

    @classmethod
    def of(cls, found: Occurrences, texts: int) -> Graph:
        """Build the graph, without bare contexts and contexts of too few texts or terms."""
        count = len(found.patterns)
        spread = np.bincount(_pairs(found.texts, found.contexts, count)[1], minlength=count)
        degrees = np.bincount(_pairs(found.terms, found.contexts, count)[1], minlength=count)
        bare = np.array([is_bare(pattern) for pattern in found.patterns], bool)
        useful = (spread >= texts) & (degrees >= _LEAST_TERMS) & ~bare
        kept = found.with_contexts(np.flatnonzero(useful))
        terms, contexts = _pairs(kept.terms, kept.contexts, len(kept.patterns))
        firsts = np.searchsorted(terms, np.arange(len(found.names) + 1))
        support = np.bincount(found.terms, minlength=len(found.names))
        return cls(kept, contexts, firsts, spread[useful], degrees[useful], support)

    def contexts_of(self, term: int) -> NDArray[np.int32]:
        """Return the contexts of a term, in order of their numbers."""
        return self.contexts[self.firsts[term] : self.firsts[term + 1]]

    def supported(self, contexts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the smoothed mean, over occurrences, of the best score of contexts: (terms,)."""
        best = np.append(contexts, 0.0)[self.found.contexts].max(axis=1, initial=0.0)
        summed = np.bincount(self.found.terms, weights=best, minlength=len(self.found.names))
        return np.asarray(summed / (self.support + HALF))


class Membership:
    """The classes of terms, and the resulting weights of contexts.

    ``weights``: float64 (classes, terms); ``inside``: float64 (classes, contexts), the summed
    weights of a context's terms; ``counts``: int64 (classes, contexts), the number of these terms.
    """

    def __init__(self, graph: Graph, classes: int) -> None:
        self._graph = graph
        self.weights = np.zeros((classes, len(graph.support)))
        self.inside = np.zeros((classes, len(graph.spread)))
        self.counts = np.zeros((classes, len(graph.spread)), np.int64)

    def add(self, row: int, term: int, weight: float) -> None:
        """Add a term to a class."""
        contexts = self._graph.contexts_of(term)
        self.weights[row, term] = weight
        self.inside[row, contexts] += weight
        self.counts[row, contexts] += 1

    def free(self) -> NDArray[np.bool_]:
        """Return whether each term is in no class: bool (terms,)."""
        return np.asarray(~self.weights.any(axis=0))

    def selectivity(self, row: int) -> NDArray[np.float64]:
        """Return the share of each context's terms in a class, 0 for few terms: (contexts,)."""
        unknown = self._graph.degrees - self.counts.sum(axis=0)
        against = UNKNOWN * np.log2(1 + unknown) + SMOOTHING
        share = self.inside[row] / (self.inside.sum(axis=0) + against)
        return np.where(self.counts[row] >= _LEAST_TERMS, share, 0.0)


def _pairs(
    rows: NDArray[np.int32], contexts: NDArray[np.int32], count: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the distinct pairs (row value, context), sorted, as two arrays."""
    keys = (rows.astype(np.int64)[:, None] * count + contexts)[contexts != NONE]
    keys.sort()
    distinct = keys[np.append(True, keys[1:] != keys[:-1])] if len(keys) else keys
    firsts, seconds = np.divmod(distinct, max(1, count))
    return firsts.astype(np.int32), seconds.astype(np.int32)
