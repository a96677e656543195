"""The neural tagger: turns a network's posteriors of labels into spans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.taggers.crf.mentions import Scheme
from adapter.taggers.crf.tokens import sequence_tokens
from adapter.taggers.neural.network import CHAIN

if TYPE_CHECKING:
    from adapter.taggers.document.document import Document
    from adapter.taggers.document.resources import Resources
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.types import Span

SOURCE = "neural"


class NeuralTagger:
    """Finds mentions with a network, independently of other taggers."""

    trusting = False

    def __init__(self, resources: Resources, *, whole: bool = False) -> None:
        """Take the language's neural model.

        ``whole``: also return mentions outside our scheme, as OTHER.

        Raises:
            RuleError: the language has no neural model.
        """
        model = resources.neural
        if model is None:
            raise RuleError("rules.taggers", f"'{resources.language}' has no neural model")
        self._resources, self._model = resources, model
        self._scheme = Scheme(SOURCE, model.priority, model.labels, model.joining, whole)

    def whole(self) -> NeuralTagger:
        """Return a tagger that also finds mentions whose labels only its corpus has."""
        return NeuralTagger(self._resources, whole=True)

    def tag(self, document: Document, phrases: PhraseIndex) -> list[Span]:
        """Return the mentions in a document; trusted phrases play no part."""
        del phrases
        seen = self._model.network.read(sequence_tokens(document))
        return [] if seen is None else self._scheme.spans(seen, {CHAIN: self._model.threshold})
