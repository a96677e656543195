"""The mean of two models: posteriors of a network are averaged with those of the chains.

Two models that err in different places are better in the mean than either alone (Hansen and Salamon
1990, Neural network ensembles). Labels are those of the most probable path by the means, on which
no mention begins inside.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from adapter.taggers.crf.inference import Scored
from adapter.taggers.crf.weights import allowed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.taggers.crf.mentions import Seen
    from adapter.taggers.crf.weights import Chain, Floats
    from adapter.taggers.neural.model import NeuralModel

_LEAST = np.float32(1e-8)
"""Added to means before their logarithm is taken."""


@dataclass(frozen=True, eq=False)
class Averaging:
    """Averages the posteriors of a model's chains with those of a network."""

    neural: NeuralModel
    chains: Sequence[Chain]

    def averaged(self, seen: Seen) -> Seen:
        """Return the chains with mean posteriors, and with scores that follow from these.

        Tokens that the network does not read keep the chains' posteriors.
        """
        read, others = self.neural.network.posteriors(seen.tokens)
        share = (read * np.float32(self.neural.share))[:, None]
        chains = [
            _mean(scored, shared, others, share)
            for scored, shared in zip(seen.chains, self._shared, strict=True)
        ]
        return replace(seen, chains=chains)

    @cached_property
    def _shared(self) -> list[_Shared]:
        labels = self.neural.network.vocabulary.labels
        names = {label: column for column, label in enumerate(labels)}
        return [_Shared.of(chain, names) for chain in self.chains]


@dataclass(frozen=True, slots=True, eq=False)
class _Shared:
    """A chain whose transitions only forbid what IOB2 forbids.

    ``own`` are its columns of the labels, except `OUTSIDE`, that the network has too, and
    ``theirs`` the network's columns of the same labels.
    """

    chain: Chain
    own: list[int]
    theirs: list[int]

    @classmethod
    def of(cls, chain: Chain, names: Mapping[str, int]) -> _Shared:
        free = allowed(chain.labels, np.zeros_like(chain.transitions))
        own = [column for column, label in enumerate(chain.labels) if column and label in names]
        theirs = [names[chain.labels[column]] for column in own]
        return cls(replace(chain, transitions=free), own, theirs)


def _mean(scored: Scored, shared: _Shared, others: Floats, share: Floats) -> Scored:
    """Return a chain with mean posteriors; ``share`` is float32 (tokens, 1).

    Labels of the network that the chain does not have count as outside.
    """
    mean = (1 - share) * scored.posteriors
    common = share * others[:, shared.theirs]
    mean[:, shared.own] += common
    mean[:, 0] += share[:, 0] - common.sum(axis=1)
    np.maximum(mean, 0, out=mean)
    return Scored(shared.chain, np.log(mean + _LEAST), mean)
