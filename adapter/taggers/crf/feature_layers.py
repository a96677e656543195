"""What is known of the tokens of one text, and how it reads as features.

The features that taggers learn from (`Rows.strings`) and the sums of their weights at run time
(`adapter.taggers.crf.scoring`) are both made of these, so that they cannot drift apart.
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
    """One thing that is known of each token, and the features which that gives.

    ``keys[i]`` is what is known of token i; ``shown`` gives the features of a key to the tokens
    around it, those up to ``reach`` away: a pure function, the same for all layers of this name.
    """

    name: str
    keys: Sequence[Hashable] = field(repr=False)
    shown: Callable[[Any], Columns] = field(repr=False)
    reach: int = 0


@dataclass(frozen=True, slots=True)
class Rows:
    """Features of the tokens of one text; ``grams``: whether those of `NGRAMS` are among them."""

    tokens: SequenceTokens
    layers: Sequence[Layer] = field(repr=False)
    grams: bool

    def strings(self) -> list[Row]:
        """All features of each token, as CRFsuite learns from them."""
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
