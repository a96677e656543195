"""A learned network that scores labels, with its vocabulary and the transitions between labels."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from adapter.errors import RuleError, TagError
from adapter.taggers.crf.inference import Order, Passes, best_paths
from adapter.taggers.crf.weights import OUTSIDE, Chain
from adapter.taggers.neural.batches import grids, segments_of
from adapter.taggers.neural.vocabulary import LONGEST, UNKNOWN, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from adapter.taggers.crf.tokens import SequenceTokens
    from adapter.taggers.crf.weights import Floats
    from adapter.taggers.neural.batches import Grid, Mask, Places
    from adapter.taggers.neural.vectors import Vectors
    from adapter.taggers.neural.vocabulary import Encoded, Numbers

    Run = Callable[[Mapping[str, Numbers | Floats]], Floats]
    """The network: maps ``words``, ``forms``, ``spellings`` and ``lengths``, all int32, and perhaps
    ``vectors``, float32 (steps, segments, width), to scores.

    ``words`` and ``forms`` are (steps, segments), ``spellings`` (forms, characters), ``lengths``
    (segments,); the scores are float32 (steps, segments, labels).
    """

NETWORK, VOCABULARY = "network.onnx", "vocabulary.json"
"""File names of a network and its vocabulary."""
CHAIN = "neural"
_PADDING = 3
"""Columns of padding after the longest spelling of a batch."""


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A function that scores labels of tokens, its vocabulary, and transitions between labels.

    ``transitions`` is float32 (labels, labels), from row to column. ``vectors`` are those of words
    beside which the network was learned, if it was.
    """

    run: Run = field(repr=False)
    vocabulary: Vocabulary
    transitions: Floats = field(repr=False)
    vectors: Vectors | None = field(default=None, repr=False)

    def labels(self, tokens: SequenceTokens) -> list[int]:
        """Return the index of each token's label on the best path; segments begin after OUTSIDE."""
        begins, lengths = segments_of(tokens)
        found = np.zeros(len(tokens), np.intp)
        if len(begins):
            scores = self.scores(tokens, begins, lengths)
            scores[begins] += self.transitions[0]
            best_paths(scores, self.transitions, Order.of(begins, lengths), found)
        return found.tolist()

    def posteriors(self, tokens: SequenceTokens) -> tuple[Mask, Floats]:
        """Return which tokens are in segments with words, and the posteriors of all tokens.

        The first is bool (tokens,); the second float32 (tokens, labels), in which the other tokens
        are outside for certain.

        Raises:
            TagError: "failed", a score or posterior is not finite and would exceed no threshold.
        """
        begins, lengths = segments_of(tokens)
        read = np.zeros(len(tokens), np.bool_)
        if not len(begins):
            return read, self._outside(len(tokens))
        scores = self.scores(tokens, begins, lengths)
        scores[begins] += self.transitions[0]
        order = Order.of(begins, lengths)
        chain = Chain(CHAIN, self.vocabulary.labels, self.transitions, 0)
        (found,) = Passes([chain]).posteriors(scores, order)
        read[order.forward] = True
        found[~read] = self._outside(1)
        _finite(found)
        return read, found

    def _outside(self, count: int) -> Floats:
        """Return posteriors, float32 (tokens, labels), of tokens that are outside for certain."""
        found = np.zeros((count, len(self.vocabulary.labels)), np.float32)
        found[:, 0] = 1
        return found

    def scores(self, tokens: SequenceTokens, begins: Places, lengths: Places) -> Floats:
        """Return scores, float32 (tokens, labels), of the segments' tokens; 0 for other tokens.

        Raises:
            TagError: "failed", a score is not finite.
        """
        encoded = self.vocabulary.encoded(tokens)
        rows = self.vectors.rows(tokens.words) if self.vectors else None
        found = np.zeros((len(tokens), len(self.vocabulary.labels)), np.float32)
        for grid in grids(begins, lengths):
            found[grid.places[grid.alive]] = self._scored(encoded, grid, rows)[grid.alive]
        _finite(found)
        return found

    def _scored(self, encoded: Encoded, grid: Grid, rows: Places | None) -> Floats:
        forms, spellings = grid.spelled(encoded)
        given: dict[str, Numbers | Floats] = {"words": grid.words(encoded), "forms": forms}
        given |= {"spellings": _trimmed(spellings), "lengths": grid.lengths}
        if self.vectors and rows is not None:
            vectors = self.vectors.shown(rows[grid.places])
            vectors[~grid.alive] = 0
            given["vectors"] = vectors
        return self.run(given)

    def fits(self) -> bool:
        """Whether the network accepts the last word and character, with finite label scores."""
        given = {
            "words": [[max(self.vocabulary.words.values(), default=UNKNOWN)]],
            "forms": [[0]],
            "spellings": [[max(self.vocabulary.characters.values(), default=UNKNOWN)] * LONGEST],
            "lengths": [1],
        }
        numbers: dict[str, Numbers | Floats] = {
            name: np.array(value, np.int32) for name, value in given.items()
        }
        if self.vectors:
            numbers["vectors"] = np.zeros((1, 1, self.vectors.width), np.float32)
        scores = self.run(numbers)
        whole = scores.shape == (1, 1, len(self.vocabulary.labels))
        return whole and bool(np.isfinite(scores).all())


def _trimmed(spellings: Numbers) -> Numbers:
    """Return spellings without columns of padding that change no score.

    The network keeps the greatest response to any three characters in a row. Three columns of
    padding show it every triple that more of them would.
    """
    used = int(spellings.any(axis=0).sum())
    return np.ascontiguousarray(spellings[:, : used + _PADDING])


def _finite(numbers: Floats) -> None:
    if not np.isfinite(numbers).all():
        raise TagError("failed")


def read_vocabulary(raw: bytes) -> tuple[Vocabulary, Floats]:
    """Parse a ``vocabulary.json``; return the vocabulary and transitions.

    Raises:
        RuleError: the file is malformed, or transitions and labels do not fit.
    """
    try:
        kept = json.loads(raw)
        vocabulary = Vocabulary.of(kept["words"], kept["characters"], kept["labels"])
        transitions = np.array(kept["transitions"], np.float32)
        iob = all(label[:2] in ("B-", "I-") for label in vocabulary.labels[1:])
    except (ValueError, KeyError, TypeError, IndexError):
        raise RuleError(VOCABULARY, "is not a vocabulary with labels and transitions") from None
    count = len(vocabulary.labels)
    if not iob or vocabulary.labels[:1] != (OUTSIDE,) or transitions.shape != (count, count):
        raise RuleError(VOCABULARY, "has transitions that do not fit its labels")
    if not np.isfinite(transitions).all():
        raise RuleError(VOCABULARY, "has transitions that are not finite numbers")
    return vocabulary, transitions


def written_vocabulary(vocabulary: Vocabulary, transitions: Floats) -> bytes:
    """Return a vocabulary and transitions as the bytes of a ``vocabulary.json``."""
    kept = {
        "labels": list(vocabulary.labels),
        "transitions": [[float(score) for score in row] for row in transitions],
        "characters": list(vocabulary.characters),
        "words": list(vocabulary.words),
    }
    return json.dumps(kept, ensure_ascii=False, indent=0).encode()
