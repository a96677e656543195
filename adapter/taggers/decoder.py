"""Scores and posteriors of units by a model's weights, with numpy; equal to CRFsuite's.

All chains share one table of weights, so that each feature is looked up once. What a key of a
layer adds to the units around it is summed once and kept: most units are made of known keys.
"""

from __future__ import annotations

from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from adapter.taggers.grams import GRAMS
from adapter.taggers.paths import Order, Passes, Scored

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    from adapter.taggers.chains import Chains, Floats
    from adapter.taggers.layers import Layer, Rows

MOST_KEYS = 10_000
"""Keys of a layer whose sums are kept from one text to the next."""


class Decoder:
    """Gives the posterior of every label of every unit; opened once for each process.

    All rows that it reads are to be one featurizer's.
    """

    def __init__(self, model: Chains) -> None:
        """Take a model."""
        self.model = model
        self._passes = Passes(model.chains)
        self._sums: dict[str, _Sums] = {}
        self._grams = [_Grams(shifts, model.attributes) for shifts in GRAMS]

    def read(self, rows: Rows, firsts: Sequence[int]) -> list[Scored]:
        """Return for each chain what it says of the units.

        ``firsts`` are the first units of the stretches that are decoded by themselves.
        """
        return self._scored(self._scores(rows), firsts)

    def told(
        self, before: Sequence[Scored], atoms: Mapping[int, Sequence[str]], firsts: Sequence[int]
    ) -> list[Scored]:
        """Return what the chains say once some units have further features, ``atoms`` by unit."""
        table, known = self.model.table, self.model.attributes
        scores = np.concatenate([scored.scores for scored in before], axis=1)
        for place, names in atoms.items():
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
        """State scores of each unit: the sums of its features' weights."""
        scores = self._gram_scores(rows)
        for layer in rows.layers:
            sums = self._sums.get(layer.name)
            if sums is None:
                sums = self._sums[layer.name] = _Sums(layer, self.model)
            sums.add(layer.keys, scores)
        return scores

    def _gram_scores(self, rows: Rows) -> Floats:
        """The scores that runs of words and shapes give."""
        table = self.model.table
        scores = np.zeros((len(rows.units), table.shape[1]), np.float32)
        for gram, keys in zip(self._grams, rows.grams, strict=False):
            for found in gram.rows(keys, len(scores)):
                scores += table.take(found, axis=0)  # the row of unknown ones is zero
        return scores


class _Grams:
    """The runs that a model knows, and the rows of its table for each feature of them."""

    def __init__(self, shifts: Mapping[str, int], attributes: Mapping[str, int]) -> None:
        self._shifts = tuple(shifts.values())
        self._places: dict[str, int] = {}
        self._rows = np.full((1, len(shifts)), len(attributes))
        cells = [
            (self._places.setdefault(name[len(prefix) :], len(self._places) + 1), column, row)
            for column, prefix in enumerate(shifts)
            for name, row in attributes.items()
            if name.startswith(prefix)
        ]
        self._rows = np.full((len(self._places) + 1, len(shifts)), len(attributes))
        for place, column, row in cells:
            self._rows[place, column] = row

    def rows(self, keys: Sequence[str], count: int) -> list[NDArray[np.intp]]:
        """The row of each unit for each feature, the last of the table for unknown ones."""
        known = self._places
        places = np.fromiter(map(known.get, keys, repeat(0)), np.intp, len(keys))
        return [
            self._rows[places[shift : shift + count], column]
            for column, shift in enumerate(self._shifts)
        ]


class _Sums(dict["Hashable", int]):
    """Sums of weights by key of one layer, worked out when first asked for.

    ``table[:, self[key]]`` has a row for each place around a unit, as seen from there.
    """

    def __init__(self, layer: Layer, model: Chains) -> None:
        super().__init__()
        self._shown = layer.shown
        self._model = model
        self._reach = layer.reach
        self._table = np.zeros((2 * layer.reach + 1, 64, model.table.shape[1]), np.float32)

    def add(self, keys: Sequence[Hashable], scores: Floats) -> None:
        """Add what the keys of a text's units give to the scores of the units around them."""
        if len(self) > MOST_KEYS:
            self.clear()
        count = len(keys)
        places = np.fromiter(map(self.__getitem__, keys), np.intp, count)
        for column, table in enumerate(self._table):
            offset = column - self._reach
            low, high = max(0, -offset), min(count, count - offset)
            if low < high:
                scores[low:high] += table.take(places[low + offset : high + offset], axis=0)

    def __missing__(self, key: Hashable) -> int:
        place = self[key] = len(self)
        if place == self._table.shape[1]:
            self._table = np.concatenate([self._table, np.zeros_like(self._table)], axis=1)
        attributes = self._model.attributes
        rows: list[int] = []
        starts: list[int] = []
        for column in self._shown(key):
            starts.append(len(rows))
            rows.append(len(attributes))
            rows += [attributes[name] for name in column if name in attributes]
        self._table[:, place] = np.add.reduceat(
            self._model.table.take(rows, axis=0), starts, axis=0
        )
        return place
