"""The learned tagger: two CRFs over one set of features, for names and for quantities (Lee 2017).

Labels are those of the most probable path that protects every unit whose probability of being
inside a mention exceeds its chain's threshold. Thresholds are data, chosen for a target recall.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.taggers.chains import Decoder
from adapter.taggers.units import BREAK, stretches
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adapter.taggers.chains import Chains, Scored
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
    """The units of a text, the first of each stretch, and what each chain says of them."""

    units: Units = field(repr=False)
    firsts: list[int] = field(repr=False)
    chains: list[Scored] = field(repr=False)


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
        """Return what the chains say of each unit; None of a text without tokens."""
        if not len(document.tokens):
            return None
        rows = self._featurizer.rows(document, found)
        firsts = stretches(rows.units)
        return Seen(rows.units, firsts, self._decoder.read(rows, firsts))

    def spans(self, seen: Seen | None, thresholds: Mapping[str, float]) -> list[Span]:
        """Return the mentions at other thresholds, by chain."""
        if seen is None:
            return []
        return [
            span
            for scored in seen.chains
            for span in self._spans(scored, seen, thresholds[scored.chain.name])
        ]

    def _spans(self, scored: Scored, seen: Seen, threshold: float) -> Iterable[Span]:
        """The runs of units with one label."""
        inside = 1.0 - scored.posteriors[:, 0]
        runs: list[tuple[int, int, str, float]] = []
        for place, column in enumerate(scored.labels(threshold, seen.firsts)):
            if not column:
                continue
            mark, _, label = scored.chain.labels[column].partition("-")
            sure = float(inside[place])
            if runs and runs[-1][1] == place - 1 and runs[-1][2] == label and mark == "I":
                first, _, _, score = runs[-1]
                runs[-1] = (first, place, label, max(score, sure))
            else:
                runs.append((place, place, label, sure))
        return [span for run in runs if (span := self._span(run, seen.units)) is not None]

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
