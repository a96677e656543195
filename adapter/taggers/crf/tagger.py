"""The learned tagger: two CRFs over one set of features, for names and for quantities (Lee 2017).

The labels are those of the most probable path on which every token whose probability of being
inside a mention exceeds its chain's threshold is inside one. Thresholds are data, chosen for a
target recall. If a model has headings that introduce mentions, a text is decoded a second time with
the mentions found under them as trusted phrases (Szarvas 2006, section 3.2). If a language also has
a network, the probabilities are means of both.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.taggers.crf.mentions import Scheme, Seen
from adapter.taggers.crf.rule_features import recalled
from adapter.taggers.crf.scoring import Scorer
from adapter.taggers.crf.tokens import segments
from adapter.taggers.document.headings import confirmed
from adapter.taggers.neural.averaging import Averaging
from adapter.types import LEARNED_SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adapter.taggers.crf.features import Featurizer
    from adapter.taggers.crf.weights import Weights
    from adapter.taggers.document.document import Document
    from adapter.taggers.neural.model import NeuralModel
    from adapter.types import Label, Span, Veto

ALONE = 2.0
"""How many times its threshold a mention must reach in a text without others."""
_LIKELY = 0.5
"""Probability that such a mention need not exceed, unless its threshold does."""
FOUND = 0.5
"""Threshold of the first decoding, which finds the mentions under headings."""


@dataclass(frozen=True, slots=True, eq=False)
class CrfModel:
    """The chains of a language's model, with thresholds and labels.

    ``thresholds`` are probabilities by chain. ``labels`` map the model's own labels to ours where
    they differ, and to None where our scheme has no such label. ``priority`` is that of its spans.
    Mentions under ``headings`` (name -> the model's own label) are trusted. ``joining`` are
    lower-case words that join two mentions; no mention ends with one. ``doubted`` are labels whose
    mentions need the probability of one without others in every text. With ``neural``, its
    posteriors are averaged with those of the chains, and the thresholds are those of the means.
    """

    chains: Weights = field(repr=False)
    thresholds: Mapping[str, float]
    labels: Mapping[str, Label | None] = field(default_factory=dict)
    priority: int = 40
    headings: Mapping[str, str] = field(default_factory=dict, repr=False)
    joining: frozenset[str] = frozenset()
    neural: NeuralModel | None = None
    doubted: frozenset[Label] = frozenset()


def needed_alone(thresholds: Mapping[str, float]) -> float:
    """Return the least probability of a mention in a text without others, given the thresholds."""
    greatest = max(thresholds.values(), default=0.0)
    return max(greatest, min(_LIKELY, ALONE * greatest))


class CrfTagger:
    """Finds mentions with a model trained on annotated texts; created once per process."""

    def __init__(self, model: CrfModel, featurizer: Featurizer, *, whole: bool = False) -> None:
        """Take a model and the featurizer it was trained with.

        ``whole``: also return mentions outside our scheme, as OTHER.
        """
        self._model = model
        self._scheme = Scheme(LEARNED_SOURCE, model.priority, model.labels, model.joining, whole)
        self._featurizer = featurizer
        self._scorer = Scorer(model.chains)
        neural = model.neural
        self._averaging = Averaging(neural, model.chains.chains) if neural else None

    def whole(self) -> CrfTagger:
        """Return a tagger that also finds mentions whose labels only its corpus has."""
        return CrfTagger(self._model, self._featurizer, whole=True)

    @property
    def chains(self) -> tuple[str, ...]:
        """The names of the model's chains."""
        return tuple(chain.name for chain in self._model.chains.chains)

    @property
    def alone(self) -> float:
        """The least probability of a mention in a text without others."""
        return needed_alone(self._model.thresholds)

    @property
    def doubted(self) -> frozenset[Label]:
        """The labels whose mentions need that probability in every text."""
        return self._model.doubted

    def predict(self, document: Document, found: Iterable[Span | Veto]) -> list[Span]:
        """Return the mentions in a document; ``found`` are the results of rules and phrases."""
        return self.spans(self.read(document, found), self._model.thresholds)

    def read(self, document: Document, found: Iterable[Span | Veto]) -> Seen | None:
        """Return the scores and posteriors of each token, or None for a text without tokens."""
        if not len(document.tokens):
            return None
        rows = self._featurizer.rows(document, found)
        firsts = segments(rows.tokens)
        seen = Seen(rows.tokens, firsts, self._scorer.read(rows, firsts))
        seen = self._again(document, seen) if self._model.headings else seen
        return seen if self._averaging is None else self._averaging.averaged(seen)

    def _again(self, document: Document, seen: Seen) -> Seen:
        """Decode again with features for the words that trusted headings introduce."""
        starts, ends = seen.tokens.starts, seen.tokens.ends
        extents = [
            (starts[run.first], ends[run.last], run.label)
            for scored in seen.chains
            for run in self._scheme.runs(scored, seen, FOUND)
        ]
        features = recalled(seen.tokens, confirmed(document, extents, self._model.headings))
        if not features:
            return seen
        return Seen(
            seen.tokens, seen.firsts, self._scorer.rescored(seen.chains, features, seen.firsts)
        )

    def spans(self, seen: Seen | None, thresholds: Mapping[str, float]) -> list[Span]:
        """Return the mentions at the given thresholds, by chain."""
        return [] if seen is None else self._scheme.spans(seen, thresholds)
