"""Scores and posteriors of tokens by a model's weights, with numpy; they equal CRFsuite's.

All chains share one table of weights, so that each feature is looked up once. The sums that a key
of a layer adds to the tokens around it are cached, because most tokens have known keys.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adapter.taggers.crf.inference import Order, Passes, Scored

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from adapter.taggers.crf.feature_layers import Layer, Rows
    from adapter.taggers.crf.weights import Floats, Weights

MOST_KEYS = 16_000
"""Maximum number of keys in a layer's cache of sums between texts, and in the generation before.

500 different notes need twice this number; the table then takes 53 MB in a process.
"""


class Scorer:
    """Computes the posteriors of the labels of tokens; created once per process.

    All rows given to one scorer must come from one featurizer.
    """

    def __init__(self, model: Weights) -> None:
        """Prepare the passes and look-ups of a model."""
        self.model = model
        self._passes = Passes(model.chains)
        self._sums: dict[str, _Sums] = {}

    def read(self, rows: Rows, firsts: Sequence[int]) -> list[Scored]:
        """Return the scores and posteriors of each chain.

        ``firsts`` are the first tokens of the segments, which are decoded independently.
        """
        return self._scored(self._scores(rows), firsts)

    def rescored(
        self, before: Sequence[Scored], features: Mapping[int, Sequence[str]], firsts: Sequence[int]
    ) -> list[Scored]:
        """Return the scores and posteriors after adding ``features``, given by token."""
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
        """Return state scores, float32 (tokens, columns): sums of the weights of features."""
        scores = self._run_scores(rows)
        for layer in rows.layers:
            sums = self._sums.get(layer.name)
            if sums is None:
                sums = self._sums[layer.name] = _Sums(layer, self.model)
            sums.add(layer.keys, scores)
        return scores

    def _run_scores(self, rows: Rows) -> Floats:
        """Return the scores of the n-grams of words and shapes, float32 (tokens, columns)."""
        table = self.model.table
        scores = np.zeros((len(rows.tokens), table.shape[1]), np.float32)
        if rows.grams:
            for found in self.model.ngrams.rows(rows.tokens.forms):
                scores += table.take(found, axis=0)  # the row of unknown n-grams is zero
        return scores


class _Sums(dict["Hashable", int]):
    """Key of a layer -> place of its sums of weights in ``table``, computed on first use.

    ``table`` is float32 (2 * reach + 1, places, columns); ``table[:, self[key]]`` has a row for
    each token around a token with the key. Once there are too many keys, those unused since the
    previous time are removed.
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
        """Add the sums of the tokens' keys to ``scores``, float32 (tokens, columns), in place."""
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
        """Return an unused place of the table, doubling the table if there is none."""
        if not self._free:
            length = self._table.shape[1]
            self._table = np.concatenate([self._table, np.zeros_like(self._table)], axis=1)
            self._free += range(length, 2 * length)
        return self._free.pop()

    def _sums(self, key: Hashable) -> Floats:
        """Return the sums that a key adds around its token, float32 (2 * reach + 1, columns)."""
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
