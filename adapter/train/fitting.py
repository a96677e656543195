"""Training of one chain by CRFsuite, and packing of chains as a model."""

from __future__ import annotations

import ctypes
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.taggers.crf.weights import OUTSIDE, packed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from pycrfsuite._dumpparser import ParsedDump

    from adapter.train.recipe import Learning

    Pair = tuple[str, str]

DOMAIN = "\x1f"
"""Separator of the domain and the feature in a copied feature's name."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A chain's labels, `OUTSIDE` first, transition weights, and state weights."""

    name: str
    labels: tuple[str, ...]
    transitions: list[list[float]] = field(repr=False)
    states: Mapping[tuple[str, str], float] = field(repr=False)


class Trainer:
    """Collects the segments of one chain, then learns its weights."""

    def __init__(self, name: str, learning: Learning, seed: int = 1) -> None:
        """Take the name of the chain, and the parameters and the seed of learning."""
        self._name = name
        self._seed = seed
        self._learning = learning
        self._trainer = _crfsuite().Trainer(algorithm=learning.algorithm, verbose=False)
        self._trainer.set_params(dict(learning.parameters))

    def add(self, rows: Sequence[Sequence[str]], labels: Sequence[str]) -> None:
        """Add a segment: the features and the label of each token."""
        self._trainer.append(rows, labels)

    def fitted(self, target: str = "") -> Fitted:
        """Learn the weights; copies of features count for the domain ``target`` (see `adapted`).

        Stochastic gradient descent ends near the optimum, at a point that depends on the order of
        texts: the mean over several orders is nearer.
        """
        draws = [self._learned(self._seed + draw) for draw in range(self._learning.draws)]
        names = {label for info in draws for label in info.labels}
        labels = (OUTSIDE, *sorted(names - {OUTSIDE}))
        transitions = _mean([info.transitions for info in draws])
        moves = [[transitions.get((a, b), 0.0) for b in labels] for a in labels]
        states = _folded(_mean([info.state_features for info in draws]), target)
        least = self._learning.least
        kept = {key: weight for key, weight in states.items() if abs(weight) >= least}
        return Fitted(self._name, labels, moves, kept)

    def _learned(self, seed: int) -> ParsedDump:
        """Return the model CRFsuite learns from the segments, in an order drawn with a seed."""
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "chain")
            _begin_draws(seed)
            self._trainer.train(path)
            tagger = _crfsuite().Tagger()
            tagger.open(path)
            info: ParsedDump = tagger.info()
            tagger.close()
        return info


def _crfsuite() -> Any:
    """Import CRFsuite, which only training needs."""
    try:
        return import_module("pycrfsuite")
    except ImportError:
        raise RuleError("train", "needs python-crfsuite; install the extra 'train'") from None


def _mean(weights: Sequence[Mapping[Pair, float]]) -> dict[Pair, float]:
    total: Counter[Pair] = Counter()
    for one in weights:
        total.update(one)
    return {key: weight / len(weights) for key, weight in total.items()}


def _begin_draws(seed: int) -> None:
    """Seed the C library, which draws CRFsuite's order of segments, for repeatable learning."""
    ctypes.CDLL(None).srand(seed)


def adapted(rows: Iterable[Sequence[str]], domain: str) -> list[list[str]]:
    """Return rows with a copy of each feature for its domain (EasyAdapt, Daume 2007)."""
    return [[*row, *(f"{domain}{DOMAIN}{name}" for name in row)] for row in rows]


def _folded(states: Mapping[tuple[str, str], float], target: str) -> dict[tuple[str, str], float]:
    """Return the general weights plus those of the target's copies, without other copies."""
    found: dict[tuple[str, str], float] = {}
    for (attribute, label), weight in states.items():
        domain, mark, name = attribute.partition(DOMAIN)
        if not mark:
            name = attribute
        elif domain != target:
            continue
        found[name, label] = found.get((name, label), 0.0) + weight
    return found


def model_bytes(chains: Iterable[Fitted]) -> bytes:
    """Return the content of ``weights.bin`` for the chains.

    Raises:
        RuleError: no chain has a weight, since no feature is in enough texts.
    """
    learned = [(one.name, one.labels, one.transitions, one.states) for one in chains]
    if not any(states for *_, states in learned):
        raise RuleError("train", "too few texts: no feature has a weight")
    return packed(learned)
