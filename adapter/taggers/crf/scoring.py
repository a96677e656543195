"""Scores and posteriors of tokens by a model's weights, with numpy; equal to CRFsuite's.

All chains share one table of weights, so that each feature is looked up once. What a key of a
layer adds to the tokens around it is summed once and kept: most tokens are made of known keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adapter.taggers.crf.inference import Order, Passes, Scored
from adapter.taggers.crf.ngrams import NgramTable

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from adapter.taggers.crf.feature_layers import Layer, Rows
    from adapter.taggers.crf.weights import Floats, Weights

MOST_KEYS = 16_000
"""Keys of a layer whose sums are kept from one text to the next, and as many that were before.

Twice that is what 500 different notes need; its table then takes 53 MB of a process."""


class Scorer:
    """Gives the posterior of every label of every token; opened once for each process.

    All rows that it reads are to be one featurizer's.
    """

    def __init__(self, model: Weights) -> None:
        """Take a model."""
        self.model = model
        self._passes = Passes(model.chains)
        self._sums: dict[str, _Sums] = {}
        self._runs = NgramTable(model.attributes)

    def read(self, rows: Rows, firsts: Sequence[int]) -> list[Scored]:
        """Return for each chain what it says of the tokens.

        ``firsts`` are the first tokens of the segments that are decoded by themselves.
        """
        return self._scored(self._scores(rows), firsts)

    def told(
        self, before: Sequence[Scored], features: Mapping[int, Sequence[str]], firsts: Sequence[int]
    ) -> list[Scored]:
        """Return what the chains say once some tokens have further ``features``, by token."""
        table, known = self.model.table, self.model.attributes
        scores = np.concatenate([scored.scores for scored in before], axis=1)
        for place, names in features.items():
            scores[place] += table[[known[name] for name in names if name in known]].sum(axis=0)
        return self._scored(scores, firsts)

    def _scored(self, scores: Floats, firsts: Sequence[int]) -> list[Scored]:
        begins = np.asarray(firsts)
        order = Order.of(begins, np.diff(begins, append=len(scores)))
        return [
            Scored(chain, scores[:, chain.columns], posteriors)
            for chain, posteriors in zip(
                self.model.chains, self._passes.posteriors(scores, order), strict=True
            )
        ]

    def _scores(self, rows: Rows) -> Floats:
        """State scores of each token: the sums of its features' weights."""
        scores = self._run_scores(rows)
        for layer in rows.layers:
            sums = self._sums.get(layer.name)
            if sums is None:
                sums = self._sums[layer.name] = _Sums(layer, self.model)
            sums.add(layer.keys, scores)
        return scores

    def _run_scores(self, rows: Rows) -> Floats:
        """The scores that runs of words and shapes give."""
        table = self.model.table
        scores = np.zeros((len(rows.tokens), table.shape[1]), np.float32)
        if rows.grams:
            for found in self._runs.rows(rows.tokens.forms):
                scores += table.take(found, axis=0)  # the row of unknown ones is zero
        return scores


class _Sums(dict["Hashable", int]):
    """Sums of weights by key of one layer, worked out when first asked for.

    ``table[:, self[key]]`` has a row for each place around a token, as seen from there. Once there
    are too many keys, those that no text has while as many new ones come are forgotten.
    """

    def __init__(self, layer: Layer, model: Weights) -> None:
        super().__init__()
        self._shown = layer.shown
        self._model = model
        self._reach = layer.reach
        self._table = np.zeros((2 * layer.reach + 1, 64, model.table.shape[1]), np.float32)
        self._before: dict[Hashable, int] = {}
        self._free: list[int] = list(range(self._table.shape[1]))

    def add(self, keys: Sequence[Hashable], scores: Floats) -> None:
        """Add what the keys of a text's tokens give to the scores of the tokens around them."""
        if len(self) > MOST_KEYS:
            self._free += self._before.values()
            self._before = dict(self)
            self.clear()
        count = len(keys)
        places = np.fromiter(map(self.__getitem__, keys), np.intp, count)
        for column, table in enumerate(self._table):
            offset = column - self._reach
            low, high = max(0, -offset), min(count, count - offset)
            if low < high:
                scores[low:high] += table.take(places[low + offset : high + offset], axis=0)

    def __missing__(self, key: Hashable) -> int:
        place = self._before.pop(key, None)
        if place is None:
            place = self._place()
            self._table[:, place] = self._sums(key)
        self[key] = place
        return place

    def _place(self) -> int:
        """A place that no key has."""
        if not self._free:
            length = self._table.shape[1]
            self._table = np.concatenate([self._table, np.zeros_like(self._table)], axis=1)
            self._free += range(length, 2 * length)
        return self._free.pop()

    def _sums(self, key: Hashable) -> Floats:
        """What a key adds to the tokens around it, by their places."""
        row_of = self._model.attributes.get
        nothing = len(self._model.attributes)
        rows: list[int] = []
        starts: list[int] = []
        for column in self._shown(key):
            starts.append(len(rows))
            rows.append(nothing)
            rows += [row for row in map(row_of, column) if row is not None]
        sums: Floats = np.add.reduceat(self._model.table.take(rows, axis=0), starts, axis=0)
        return sums
