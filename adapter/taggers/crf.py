"""The learned tagger: two CRFs over one set of features, for names and for quantities (Lee 2017).

A unit is protected when the probability that it is inside any mention exceeds its chain's
threshold; its label is the most probable one. Thresholds are data, chosen for a target recall.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from adapter.taggers.chains import Decoder
from adapter.taggers.units import BREAK, stretches
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adapter.taggers.chains import Chain, Chains, Floats
    from adapter.taggers.document import Document
    from adapter.taggers.features import Featurizer
    from adapter.taggers.units import Units
    from adapter.types import Veto

SOURCE = "crf"


@dataclass(frozen=True, slots=True, eq=False)
class CrfModel:
    """A language's chains, and how they are used.

    ``thresholds`` are by chain, probabilities; ``labels`` map the model's own labels to ours where
    they differ; ``priority`` is that of its spans.
    """

    chains: Chains = field(repr=False)
    thresholds: Mapping[str, float]
    labels: Mapping[str, Label] = field(default_factory=dict)
    priority: int = 40


@dataclass(frozen=True, slots=True)
class Seen:
    """The units of a text, and for each chain the probabilities of its labels, a row a unit."""

    units: Units = field(repr=False)
    tables: list[Floats] = field(repr=False)


class CrfTagger:
    """Finds mentions by what was learnt from annotated texts; opened once for each process."""

    def __init__(self, model: CrfModel, featurizer: Featurizer) -> None:
        """Take a model and the features it was trained on."""
        self._model = model
        self._featurizer = featurizer
        self._decoder = Decoder(model.chains)

    @property
    def chains(self) -> tuple[str, ...]:
        """The names of its chains."""
        return tuple(chain.name for chain in self._model.chains.chains)

    def tag(self, document: Document, found: Iterable[Span | Veto]) -> list[Span]:
        """Return the mentions in document, given what rules and phrases ``found`` in it."""
        return self.spans(self.read(document, found), self._model.thresholds)

    def read(self, document: Document, found: Iterable[Span | Veto]) -> Seen | None:
        """Return the probability of each label of each unit; None of a text without tokens."""
        if not len(document.tokens):
            return None
        rows = self._featurizer.rows(document, found)
        return Seen(rows.units, self._decoder.posteriors(rows, stretches(rows.units)))

    def spans(self, seen: Seen | None, thresholds: Mapping[str, float]) -> list[Span]:
        """Return the mentions at other thresholds, by chain."""
        if seen is None:
            return []
        chains = self._model.chains.chains
        return [
            span
            for chain, table in zip(chains, seen.tables, strict=True)
            for span in self._spans(chain, table, seen.units, thresholds[chain.name])
        ]

    def _spans(
        self, chain: Chain, table: Floats, sequence: Units, threshold: float
    ) -> Iterable[Span]:
        """The runs of units that are more probably protected than the chain's threshold."""
        inside = 1.0 - table[:, 0]
        places = np.flatnonzero(inside > threshold)
        best = table[places, 1:].argmax(axis=1) + 1
        runs: list[tuple[int, int, str, float]] = []
        for place, column in zip(places.tolist(), best.tolist(), strict=True):
            mark, _, label = chain.labels[column].partition("-")
            sure = float(inside[place])
            if runs and runs[-1][1] == place - 1 and runs[-1][2] == label and mark == "I":
                first, _, _, score = runs[-1]
                runs[-1] = (first, place, label, max(score, sure))
            else:
                runs.append((place, place, label, sure))
        return [span for run in runs if (span := self._span(run, sequence)) is not None]

    def _span(self, run: tuple[int, int, str, float], sequence: Units) -> Span | None:
        first, last, label, score = run
        while first <= last and sequence.forms[first] in BREAK:
            first += 1
        while last >= first and sequence.forms[last] in BREAK:
            last -= 1
        if first > last:
            return None
        ours = self._model.labels.get(label)
        source = f"{SOURCE}:{label}" if ours is not None else SOURCE
        return Span(
            sequence.starts[first],
            sequence.ends[last],
            ours or Label(label),
            source,
            round(score, 4),
            self._model.priority,
        )
