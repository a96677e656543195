"""What was learned, as a tagger: scores by onnxruntime, the best path of labels by numpy."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from adapter.errors import RuleError
from adapter.methods.bilstm_crf.batches import grids, segments_of
from adapter.methods.bilstm_crf.vocabulary import LONGEST, UNKNOWN, Vocabulary
from adapter.methods.labelled_tokens import spans_of
from adapter.methods.protocol import label_of
from adapter.taggers.crf.inference import Order, best_paths
from adapter.taggers.crf.tokens import sequence_tokens
from adapter.taggers.crf.weights import OUTSIDE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.methods.bilstm_crf.batches import Grid, Places
    from adapter.methods.bilstm_crf.vocabulary import Encoded
    from adapter.taggers.crf.tokens import SequenceTokens
    from adapter.taggers.crf.weights import Floats
    from adapter.taggers.document.document import Document
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.types import Span

onnxruntime: Any = import_module("onnxruntime")

SOURCE = "bilstm-crf"
_MISFIT = "does not fit its vocabulary"
NETWORK, VOCABULARY = "network.onnx", "vocabulary.json"
_FATAL = 4
"""What onnxruntime logs by itself: nothing, since errors are raised too."""
_NEVER = -1e4
"""Score of what IOB2 does not allow: an inside label that does not follow one of its type."""


@dataclass(frozen=True, slots=True, eq=False)
class BiLstmCrfTagger:
    """The network with its vocabulary and transitions.

    ``transitions`` is float32 (labels, labels), from row to column.
    """

    network: bytes = field(repr=False)
    vocabulary: Vocabulary
    transitions: Floats = field(repr=False)
    session: Any = field(repr=False)
    trusting: bool = False

    @classmethod
    def of(cls, network: bytes, vocabulary: Vocabulary, transitions: Floats) -> BiLstmCrfTagger:
        """Open a network; it runs on one core, so that its figures do not depend on the machine."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = _FATAL
        session = onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
        return cls(network, vocabulary, transitions, session)

    @classmethod
    def read(cls, files: Mapping[str, bytes]) -> BiLstmCrfTagger:
        """Open what `files` kept.

        Raises:
            RuleError: they are not what it keeps.
        """
        vocabulary, transitions = _vocabulary(files.get(VOCABULARY, b""))
        with _refused("is no network that onnxruntime reads"):
            tagger = cls.of(files[NETWORK], vocabulary, transitions)
        with _refused(_MISFIT):
            fits = tagger.fits()
        if not fits:
            raise RuleError(NETWORK, _MISFIT)
        return tagger

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span]:
        """Return the mentions on the best path of labels."""
        del phrases
        tokens = sequence_tokens(document)
        names = self.vocabulary.labels
        return spans_of(tokens, [names[place] for place in self.labels(tokens)], SOURCE)

    def labels(self, tokens: SequenceTokens) -> list[int]:
        """Return the number of each token's label on the best path; a segment begins outside."""
        begins, lengths = segments_of(tokens)
        found = np.zeros(len(tokens), np.intp)
        if len(begins):
            scores = self.scores(tokens, begins, lengths)
            scores[begins] += self.transitions[0]
            best_paths(scores, self.transitions, Order.of(begins, lengths), found)
        return found.tolist()

    def scores(self, tokens: SequenceTokens, begins: Places, lengths: Places) -> Floats:
        """Return the scores of labels, float32 (tokens, labels), of segments; 0 for others."""
        encoded = self.vocabulary.encoded(tokens)
        found = np.zeros((len(tokens), len(self.vocabulary.labels)), np.float32)
        for grid in grids(begins, lengths):
            found[grid.places[grid.alive]] = self._run(encoded, grid)[grid.alive]
        return found

    def _run(self, encoded: Encoded, grid: Grid) -> Floats:
        forms, spellings = grid.spelled(encoded)
        given = {"words": grid.words(encoded), "forms": forms}
        given |= {"spellings": spellings, "lengths": grid.lengths}
        (scores,) = self.session.run(["scores"], given)
        return np.asarray(scores, np.float32)

    def fits(self) -> bool:
        """Whether the network knows the last word and character, and scores as many labels."""
        given = {
            "words": [[max(self.vocabulary.words.values(), default=UNKNOWN)]],
            "forms": [[0]],
            "spellings": [[max(self.vocabulary.characters.values(), default=UNKNOWN)] * LONGEST],
            "lengths": [1],
        }
        fed = {name: np.array(value, np.int32) for name, value in given.items()}
        (scores,) = self.session.run(["scores"], fed)
        return bool(scores.shape == (1, 1, len(self.vocabulary.labels)))

    def files(self) -> Mapping[str, bytes]:
        """The network; and words, characters, labels and transitions."""
        kept = {
            "labels": list(self.vocabulary.labels),
            "transitions": [[float(score) for score in row] for row in self.transitions],
            "characters": list(self.vocabulary.characters),
            "words": list(self.vocabulary.words),
        }
        text = json.dumps(kept, ensure_ascii=False, indent=0)
        return {NETWORK: self.network, VOCABULARY: text.encode()}


def allowed(labels: Sequence[str], transitions: Floats) -> Floats:
    """Return transitions without those that IOB2 does not allow."""
    found = transitions.copy()
    for column, label in enumerate(labels):
        if label.startswith("I-"):
            before = [other[2:] == label[2:] for other in labels]
            found[~np.array(before), column] = _NEVER
    return found


@contextmanager
def _refused(reason: str) -> Iterator[None]:
    """Raise a RuleError of the network for any error: those of onnxruntime have no common class."""
    try:
        yield
    except Exception:  # noqa: BLE001
        raise RuleError(NETWORK, reason) from None


def _vocabulary(raw: bytes) -> tuple[Vocabulary, Floats]:
    try:
        kept = json.loads(raw)
        vocabulary = Vocabulary.of(kept["words"], kept["characters"], kept["labels"])
        transitions = np.array(kept["transitions"], np.float32)
        for label in vocabulary.labels[1:]:
            label_of(label[2:])
    except (ValueError, KeyError, TypeError, IndexError):
        raise RuleError(VOCABULARY, "is no vocabulary with labels and transitions") from None
    count = len(vocabulary.labels)
    if vocabulary.labels[:1] != (OUTSIDE,) or transitions.shape != (count, count):
        raise RuleError(VOCABULARY, "has transitions that do not fit its labels")
    return vocabulary, transitions
