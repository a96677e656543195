"""The learned tagger: two CRFs over one set of features, for names and for quantities (Lee 2017).

The labels are those of the most probable path that protects every token whose probability of being
inside a mention exceeds its chain's threshold. Thresholds are data, chosen for a target recall.
Where a model knows headings that introduce mentions, a text is decoded again once the mentions
under them are found, with these as trusted phrases (Szarvas 2006, section 3.2).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from adapter.taggers.crf.rule_features import recalled
from adapter.taggers.crf.scoring import Scorer
from adapter.taggers.crf.tokens import BREAK, segments
from adapter.taggers.document.headings import confirmed
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

    from adapter.taggers.crf.features import Featurizer
    from adapter.taggers.crf.inference import Scored
    from adapter.taggers.crf.tokens import SequenceTokens
    from adapter.taggers.crf.weights import Weights
    from adapter.taggers.document.document import Document
    from adapter.types import Veto

SOURCE = "crf"
FOUND = 0.5
"""Probability from which a token under a heading counts as found."""


@dataclass(frozen=True, slots=True, eq=False)
class CrfModel:
    """The chains of a language's model, and how they are used.

    ``thresholds`` are probabilities by chain. ``labels`` map the model's own labels to ours where
    they differ, to None where our scheme has no such label. ``priority`` is that of its spans.
    ``headings`` (name -> the model's own label) make what is found under them trusted. ``joining``
    are lower-case words that join two mentions; none ends with one.
    """

    chains: Weights = field(repr=False)
    thresholds: Mapping[str, float]
    labels: Mapping[str, Label | None] = field(default_factory=dict)
    priority: int = 40
    headings: Mapping[str, str] = field(default_factory=dict, repr=False)
    joining: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Seen:
    """The tokens of a text, the first token of each segment, and the scores of each chain."""

    tokens: SequenceTokens = field(repr=False)
    firsts: list[int] = field(repr=False)
    chains: list[Scored] = field(repr=False)


class CrfTagger:
    """Finds mentions with a model trained on annotated texts; opened once for each process."""

    def __init__(self, model: CrfModel, featurizer: Featurizer, *, whole: bool = False) -> None:
        """Take a model and the features it was trained on.

        ``whole``: return mentions outside our scheme too, as OTHER.
        """
        self._model = model
        self._whole = whole
        self._featurizer = featurizer
        self._scorer = Scorer(model.chains)

    def whole(self) -> CrfTagger:
        """Return the same tagger, but with mentions that only its corpus's scheme has."""
        return CrfTagger(self._model, self._featurizer, whole=True)

    @property
    def chains(self) -> tuple[str, ...]:
        """The names of its chains."""
        return tuple(chain.name for chain in self._model.chains.chains)

    def predict(self, document: Document, found: Iterable[Span | Veto]) -> list[Span]:
        """Return the mentions in document, given what rules and phrases ``found`` in it."""
        return self.spans(self.read(document, found), self._model.thresholds)

    def read(self, document: Document, found: Iterable[Span | Veto]) -> Seen | None:
        """Return the scores and posteriors of each token; None for a text without tokens."""
        if not len(document.tokens):
            return None
        rows = self._featurizer.rows(document, found)
        firsts = segments(rows.tokens)
        seen = Seen(rows.tokens, firsts, self._scorer.read(rows, firsts))
        return self._again(document, seen) if self._model.headings else seen

    def _again(self, document: Document, seen: Seen) -> Seen:
        """Decode again with features for the words that trusted headings introduce."""
        starts, ends = seen.tokens.starts, seen.tokens.ends
        extents = [
            (starts[run.first], ends[run.last], run.label)
            for scored in seen.chains
            for run in self._runs(scored, seen, FOUND)
        ]
        features = recalled(seen.tokens, confirmed(document, extents, self._model.headings))
        if not features:
            return seen
        return Seen(
            seen.tokens, seen.firsts, self._scorer.rescored(seen.chains, features, seen.firsts)
        )

    def spans(self, seen: Seen | None, thresholds: Mapping[str, float]) -> list[Span]:
        """Return the mentions at the given thresholds, by chain."""
        if seen is None:
            return []
        return [
            self._span(run, seen.tokens)
            for scored in seen.chains
            for run in self._runs(scored, seen, thresholds[scored.chain.name])
            if self._whole or self._model.labels.get(run.label, Label.OTHER) is not None
        ]

    def _runs(self, scored: Scored, seen: Seen, threshold: float) -> Iterator[_Run]:
        """Yield the runs of tokens that form one mention."""
        for run in _runs(scored, seen, threshold):
            trimmed = _trimmed(run, seen.tokens.forms, self._model.joining)
            if trimmed.first <= trimmed.last:
                yield trimmed

    def _span(self, run: _Run, sequence: SequenceTokens) -> Span:
        known = run.label in self._model.labels
        ours = self._model.labels[run.label] if known else Label(run.label)
        source = f"{SOURCE}:{run.label}" if known else SOURCE
        return Span(
            sequence.starts[run.first],
            sequence.ends[run.last],
            ours or Label.OTHER,
            source,
            round(run.score, 4),
            self._model.priority,
        )


class _Run(NamedTuple):
    """The first and last token of a mention, its label, and the highest probability among them."""

    first: int
    last: int
    label: str
    score: float


def _runs(scored: Scored, seen: Seen, threshold: float) -> list[_Run]:
    """Return the runs of tokens with the labels of one mention."""
    inside = 1.0 - scored.posteriors[:, 0]
    columns = scored.labels(threshold, seen.firsts)
    places = columns.nonzero()[0]
    rows = places.tolist(), columns[places].tolist(), inside[places].tolist()
    runs: list[_Run] = []
    for place, column, sure in zip(*rows, strict=True):
        mark, _, label = scored.chain.labels[column].partition("-")
        if runs and runs[-1].last == place - 1 and runs[-1].label == label and mark == "I":
            first, _, _, score = runs[-1]
            runs[-1] = _Run(first, place, label, max(score, sure))
        else:
            runs.append(_Run(place, place, label, sure))
    return runs


def _trimmed(run: _Run, forms: Sequence[str], joining: Container[str]) -> _Run:
    """Return the run without line breaks at its edges and without a final "and"."""
    first, last, label, score = run
    while first <= last and forms[first] in BREAK:
        first += 1
    while last >= first and (forms[last] in BREAK or forms[last].lower() in joining):
        last -= 1
    return _Run(first, last, label, score)
