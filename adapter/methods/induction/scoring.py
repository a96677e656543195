"""How selective contexts are, and how well terms are supported by them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from adapter.methods.induction.contexts import NONE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from adapter.methods.induction.contexts import Occurrences

UNKNOWN = 0.02
"""What a candidate of no class yet counts against a context."""
SMOOTHING = 3.0
"""Counted against every context, so that a few terms do not make it sure."""
HALF = 0.5
"""Counted against every term in occurrences, so that one does not make it sure."""
_LEAST_TERMS = 3
"""Terms of a class that a context must hold."""


@dataclass(frozen=True, slots=True)
class Graph:
    """Terms and contexts that occur together: int32 (pairs), each pair once."""

    found: Occurrences = field(repr=False)
    pair_terms: NDArray[np.int32] = field(repr=False)
    pair_contexts: NDArray[np.int32] = field(repr=False)
    spread: NDArray[np.int64] = field(repr=False)
    """In how many texts each context occurs."""
    support: NDArray[np.int64] = field(repr=False)
    """How often each term occurs."""

    @classmethod
    def of(cls, found: Occurrences) -> Graph:
        """Count the pairs of occurrences."""
        count = max(1, len(found.patterns))
        terms, contexts = _pairs(found.terms, found.contexts, count)
        _, spread = _pairs(found.texts, found.contexts, count)
        return cls(
            found,
            terms,
            contexts,
            np.bincount(spread, minlength=len(found.patterns)),
            np.bincount(found.terms, minlength=len(found.names)),
        )

    def selectivity(
        self, members: NDArray[np.float64], others: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Share of a context's terms that are of a class, and how many these are: (contexts).

        ``members`` and ``others`` weigh each term (terms) as one of the class, of another class.
        """
        inside, outside = self._sums(members), self._sums(others)
        unknown = self._sums(((members + others) == 0).astype(np.float64))
        share = inside / (inside + outside + UNKNOWN * unknown + SMOOTHING)
        return np.where(
            self._sums((members > 0).astype(np.float64)) >= _LEAST_TERMS, share, 0.0
        ), inside

    def supported(self, contexts: NDArray[np.float64]) -> NDArray[np.float64]:
        """The mean over a term's occurrences of the best score of its contexts: (terms)."""
        best = np.append(contexts, 0.0)[self.found.contexts].max(axis=1, initial=0.0)
        summed = np.bincount(self.found.terms, weights=best, minlength=len(self.found.names))
        return np.asarray(summed / (self.support + HALF))

    def contexts_of(self, terms: Iterable[int]) -> dict[int, list[int]]:
        """Return the contexts of terms, in order of their numbers."""
        return {
            term: self.pair_contexts[
                slice(*np.searchsorted(self.pair_terms, (term, term + 1)))
            ].tolist()
            for term in terms
        }

    def _sums(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        pairs, count = self.pair_contexts, len(self.found.patterns)
        summed = np.bincount(pairs, weights=weights[self.pair_terms], minlength=count)
        return summed.astype(np.float64)


def _pairs(
    rows: NDArray[np.int32], contexts: NDArray[np.int32], count: int
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Distinct (row's number, context) of occurrences."""
    keys = (rows.astype(np.int64)[:, None] * count + contexts)[contexts != NONE]
    firsts, seconds = np.divmod(np.unique(keys), count)
    return firsts.astype(np.int32), seconds.astype(np.int32)
