"""The learned tagger: two CRFs over one set of features, for names and for quantities (Lee 2017).

Labels are those of the most probable path that protects every token whose probability of being
inside a mention exceeds its chain's threshold. Thresholds are data, chosen for a target recall.
Where a model knows headings that vouch for what stands under them, a text is decoded again once
their mentions are found, with these as trusted phrases (Szarvas 2006, section 3.2).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from adapter.taggers.crf.rule_features import recalled
from adapter.taggers.crf.scoring import Scorer
from adapter.taggers.crf.tokens import BREAK, segments
from adapter.taggers.document.headings import vouched
from adapter.types import Label, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

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
    """A language's chains, and how they are used.

    ``thresholds`` are by chain, probabilities; ``labels`` map the model's own labels to ours where
    they differ, to None where ours have nothing of the kind; ``priority`` is that of its spans;
    ``headings`` (name -> the model's own label) vouch for what is found under them.
    """

    chains: Weights = field(repr=False)
    thresholds: Mapping[str, float]
    labels: Mapping[str, Label | None] = field(default_factory=dict)
    priority: int = 40
    headings: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class Seen:
    """The tokens of a text, the first of each segment, and what each chain says of them."""

    tokens: SequenceTokens = field(repr=False)
    firsts: list[int] = field(repr=False)
    chains: list[Scored] = field(repr=False)


class CrfTagger:
    """Finds mentions by what was learnt from annotated texts; opened once for each process."""

    def __init__(self, model: CrfModel, featurizer: Featurizer, *, whole: bool = False) -> None:
        """Take a model and the features it was trained on.

        ``whole``: tell mentions outside our scheme too, as OTHER.
        """
        self._model = model
        self._whole = whole
        self._featurizer = featurizer
        self._decoder = Scorer(model.chains)

    def whole(self) -> CrfTagger:
        """The same tagger, that also tells mentions which only its corpus's scheme has."""
        return CrfTagger(self._model, self._featurizer, whole=True)

    @property
    def chains(self) -> tuple[str, ...]:
        """The names of its chains."""
        return tuple(chain.name for chain in self._model.chains.chains)

    def predict(self, document: Document, found: Iterable[Span | Veto]) -> list[Span]:
        """Return the mentions in document, given what rules and phrases ``found`` in it."""
        return self.spans(self.read(document, found), self._model.thresholds)

    def read(self, document: Document, found: Iterable[Span | Veto]) -> Seen | None:
        """Return what the chains say of each token; None of a text without tokens."""
        if not len(document.tokens):
            return None
        rows = self._featurizer.rows(document, found)
        firsts = segments(rows.tokens)
        seen = Seen(rows.tokens, firsts, self._decoder.read(rows, firsts))
        return self._again(document, seen) if self._model.headings else seen

    def _again(self, document: Document, seen: Seen) -> Seen:
        """The same once the words that headings vouch for are known where they stand elsewhere."""
        starts, ends = seen.tokens.starts, seen.tokens.ends
        extents = [
            (starts[run.first], ends[run.last], run.label)
            for scored in seen.chains
            for run in _runs(scored, seen, FOUND)
        ]
        features = recalled(seen.tokens, vouched(document, extents, self._model.headings))
        if not features:
            return seen
        return Seen(
            seen.tokens, seen.firsts, self._decoder.told(seen.chains, features, seen.firsts)
        )

    def spans(self, seen: Seen | None, thresholds: Mapping[str, float]) -> list[Span]:
        """Return the mentions at other thresholds, by chain."""
        if seen is None:
            return []
        return [
            self._span(run, seen.tokens)
            for scored in seen.chains
            for run in _runs(scored, seen, thresholds[scored.chain.name])
            if self._whole or self._model.labels.get(run.label, Label.OTHER) is not None
        ]

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


_JOINING = frozenset(("and", "und"))


class _Run(NamedTuple):
    """The tokens of a mention, from first to last, its label and the greatest probability."""

    first: int
    last: int
    label: str
    score: float


def _runs(scored: Scored, seen: Seen, threshold: float) -> Iterator[_Run]:
    """The runs of tokens with one label."""
    inside = 1.0 - scored.posteriors[:, 0]
    columns = scored.labels(threshold, seen.firsts)
    places = columns.nonzero()[0]
    told = places.tolist(), columns[places].tolist(), inside[places].tolist()
    runs: list[_Run] = []
    for place, column, sure in zip(*told, strict=True):
        mark, _, label = scored.chain.labels[column].partition("-")
        if runs and runs[-1].last == place - 1 and runs[-1].label == label and mark == "I":
            first, _, _, score = runs[-1]
            runs[-1] = _Run(first, place, label, max(score, sure))
        else:
            runs.append(_Run(place, place, label, sure))
    for run in runs:
        trimmed = _trimmed(run, seen.tokens.forms)
        if trimmed.first <= trimmed.last:
            yield trimmed


def _trimmed(run: _Run, forms: Sequence[str]) -> _Run:
    """The run without line breaks at its edges, nor the word that joins it to another."""
    first, last, label, score = run
    while first <= last and forms[first] in BREAK:
        first += 1
    while last >= first and (forms[last] in BREAK or forms[last] in _JOINING):
        last -= 1
    return _Run(first, last, label, score)
