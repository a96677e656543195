"""The learned tagger: scores by onnxruntime, the best path of labels by numpy."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.methods.labelled_tokens import spans_of
from adapter.methods.protocol import label_of
from adapter.rules.networks import network_of
from adapter.taggers.crf.tokens import sequence_tokens
from adapter.taggers.neural.network import (
    NETWORK,
    VOCABULARY,
    read_vocabulary,
    written_vocabulary,
)
from adapter.taggers.neural.vectors import VECTORS, Vectors

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adapter.taggers.crf.weights import Floats
    from adapter.taggers.document.document import Document
    from adapter.taggers.neural.network import Network
    from adapter.taggers.neural.vocabulary import Vocabulary
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.types import Span

SOURCE = "bilstm-crf"


@dataclass(frozen=True, slots=True, eq=False)
class BiLstmCrfTagger:
    """A network, and the content of its file."""

    network: Network
    content: bytes = field(repr=False)
    trusting: bool = False

    @classmethod
    def of(
        cls,
        content: bytes,
        vocabulary: Vocabulary,
        transitions: Floats,
        vectors: Vectors | None = None,
    ) -> BiLstmCrfTagger:
        """Open a network's file; ``transitions`` is float32 (labels, labels), from row to column.

        Raises:
            RuleError: the network does not open, or does not fit its vocabulary.
        """
        return cls(network_of(content, vocabulary, transitions, vectors), content)

    @classmethod
    def read(cls, files: Mapping[str, bytes]) -> BiLstmCrfTagger:
        """Open the files that `files` returned.

        Raises:
            RuleError: a file is missing or malformed, or has unknown labels.
        """
        vocabulary, transitions = read_vocabulary(files.get(VOCABULARY, b""))
        try:
            for label in vocabulary.labels[1:]:
                label_of(label[2:])
        except ValueError:
            raise RuleError(VOCABULARY, "is a vocabulary with unknown labels") from None
        vectors = Vectors.read(files[VECTORS]) if VECTORS in files else None
        return cls.of(files.get(NETWORK, b""), vocabulary, transitions, vectors)

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span]:
        """Return the mentions on the best path of labels."""
        del phrases
        tokens = sequence_tokens(document)
        names = self.network.vocabulary.labels
        return spans_of(tokens, [names[place] for place in self.network.labels(tokens)], SOURCE)

    def files(self) -> Mapping[str, bytes]:
        """Return the network, the vocabulary with labels and transitions, and vectors, by name."""
        network = self.network
        written = written_vocabulary(network.vocabulary, network.transitions)
        vectors = {VECTORS: network.vectors.written()} if network.vectors else {}
        return {NETWORK: self.content, VOCABULARY: written} | vectors
