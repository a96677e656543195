"""Layers of features of one text's tokens.

The features that models are trained on (`Rows.strings`) and the sums of their weights at run time
(`adapter.taggers.crf.scoring`) are both made from these layers, so that they cannot diverge.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.taggers.crf.ngrams import NGRAMS

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from adapter.taggers.crf.tokens import Columns, SequenceTokens

Row = list[str]


@dataclass(frozen=True, slots=True)
class Layer:
    """One property of each token, and the features that it contributes.

    ``keys[i]`` is the property of token i. ``shown(key)`` returns the features that a key
    contributes to the tokens from ``reach`` before to ``reach`` after its token, as
    ``2 * reach + 1`` tuples; it is a pure function, the same for all layers of this name.
    """

    name: str
    keys: Sequence[Hashable] = field(repr=False)
    shown: Callable[[Any], Columns] = field(repr=False)
    reach: int = 0


@dataclass(frozen=True, slots=True)
class Rows:
    """Features of one text's tokens; ``grams`` says whether those of `NGRAMS` are included."""

    tokens: SequenceTokens
    layers: Sequence[Layer] = field(repr=False)
    grams: bool

    def strings(self) -> list[Row]:
        """Return all features of each token, as CRFsuite is trained on them."""
        rows: list[Row] = [[] for _ in range(len(self.tokens))]
        for layer in self.layers:
            _add_layer(rows, layer)
        for gram in NGRAMS if self.grams else ():
            runs = gram.runs(self.tokens.forms)
            for place, row in enumerate(rows):
                row.extend(prefix + runs[place + shift] for prefix, shift in gram.shifts.items())
        return rows


def _add_layer(rows: Sequence[Row], layer: Layer) -> None:
    reach, shown = layer.reach, {key: layer.shown(key) for key in set(layer.keys)}
    columns = [shown[key] for key in layer.keys]
    for place, row in enumerate(rows):
        for other in range(max(0, place - reach), min(len(rows), place + reach + 1)):
            row.extend(columns[other][reach + other - place])
