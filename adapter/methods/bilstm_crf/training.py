"""Training of the network: batches of segments of similar length, dropout, AdamW.

During learning words are replaced by the unknown word, rare words more often, so that the model
learns to use characters and context for new words. The same texts and seed give the same parameters
on a machine; with another number of cores XLA adds in another order, and they differ slightly.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from importlib import import_module
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from adapter.methods.bilstm_crf.network import Batch, begun, loss
from adapter.taggers.neural.batches import Grid, segments_of
from adapter.taggers.neural.vocabulary import UNKNOWN, Encoded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from jax import Array

    from adapter.methods.bilstm_crf.network import Parameters
    from adapter.methods.labelled_tokens import LabelledText
    from adapter.taggers.crf.weights import Floats
    from adapter.taggers.neural.batches import Places
    from adapter.taggers.neural.vectors import Vectors
    from adapter.taggers.neural.vocabulary import Numbers, Vocabulary

optax: Any = import_module("optax")

EPOCHS, MOST_EPOCHS, UPDATES = 15, 40, 3000
"""Fewest and most epochs; between them, as many as give `UPDATES` updates."""
TOKENS, FEWEST_TOKENS, BATCHES = 512, 128, 16
"""Most and fewest tokens of a batch; number of batches of a small corpus."""
RATE, WARMING, DECAY = 2e-3, 0.05, 1e-2
"""Peak learning rate, share of updates in warm-up, and weight decay."""
_SHORTEST, _GROWTH, _WORTH = 8, 1.5, 2048
"""Shortest padded length, growth factor to the next, and fewest tokens for one more length."""
_SPELLINGS = 64
"""Fewest spellings of a batch; more are padded to at least half its tokens, to share shapes."""


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """All segments to learn from.

    ``labels`` is int32 (tokens,); ``begins`` and ``lengths`` are intp (segments,). ``vectors`` is
    float32 (rows, width), the pretrained vectors of the corpus, ``rows`` intp (tokens,).
    """

    encoded: Encoded = field(repr=False)
    labels: Numbers = field(repr=False)
    begins: Places = field(repr=False)
    lengths: Places = field(repr=False)
    rows: Places = field(repr=False)
    vectors: Floats = field(repr=False)


def corpus_of(
    texts: Sequence[LabelledText], vocabulary: Vocabulary, vectors: Vectors | None = None
) -> Corpus:
    """Return the concatenation of texts, as numbers."""
    parts = [vocabulary.encoded(text.tokens) for text in texts]
    found = [segments_of(text.tokens) for text in texts]
    firsts = np.cumsum([0, *(len(part.words) for part in parts)])
    rows = np.cumsum([0, *(len(part.spellings) for part in parts)]).astype(np.int32)
    forms = np.concatenate([part.forms + row for part, row in zip(parts, rows, strict=False)])
    spellings, kinds = np.unique(
        np.concatenate([part.spellings for part in parts]), axis=0, return_inverse=True
    )
    words = np.concatenate([part.words for part in parts])
    encoded = Encoded(words, kinds.reshape(-1).astype(np.int32)[forms], spellings)
    own, places = _vectors([word for text in texts for word in text.tokens.words], vectors)
    return Corpus(
        encoded,
        np.concatenate([vocabulary.numbers_of(text.labels) for text in texts]),
        np.concatenate([begins + first for (begins, _), first in zip(found, firsts, strict=False)]),
        np.concatenate([lengths for _, lengths in found]),
        places,
        own,
    )


def _vectors(words: Sequence[str], vectors: Vectors | None) -> tuple[Floats, Places]:
    """Return the distinct vectors of words, float32 (rows, width), and each word's row."""
    if vectors is None:
        return np.zeros((1, 0), np.float32), np.zeros(len(words), np.intp)
    kinds, places = np.unique(vectors.rows(words), return_inverse=True)
    return vectors.shown(kinds), places.reshape(-1)


def learned(corpus: Corpus, vocabulary: Vocabulary, seed: int) -> dict[str, Floats]:
    """Return the parameters learned from a corpus."""
    draw, given = np.random.default_rng(seed), corpus.vectors.shape[1]
    first = begun(vocabulary, draw, given)
    parameters = {name: jnp.asarray(value) for name, value in first.items()}
    state = _ADAMW.init(parameters)
    key = jax.random.key(seed, impl="rbg")
    for batch, rate in _schedule(corpus, draw):
        key, now = jax.random.split(key)
        slopes = _slopes(parameters, batch, now)
        parameters, state = _stepped(parameters, state, slopes, rate)
    return {name: np.asarray(value) for name, value in parameters.items()}


_ADAMW = optax.chain(
    optax.clip_by_global_norm(5.0), optax.scale_by_adam(), optax.add_decayed_weights(DECAY)
)


# Two programs: the first is compiled for each shape of batch, the second only once.
@jax.jit
def _slopes(parameters: Parameters, batch: Batch, key: Array) -> Parameters:
    slopes: Parameters = jax.grad(loss)(parameters, batch, key)
    return slopes


@jax.jit
def _stepped(
    parameters: Parameters, state: Any, slopes: Parameters, rate: float
) -> tuple[Parameters, Any]:
    steps, state = _ADAMW.update(slopes, state, parameters)
    return jax.tree.map(lambda value, step: value - rate * step, parameters, steps), state


def _schedule(corpus: Corpus, draw: np.random.Generator) -> Iterator[tuple[Batch, float]]:
    """Yield each batch with its learning rate, epoch by epoch."""
    tokens = min(TOKENS, max(FEWEST_TOKENS, int(corpus.lengths.sum()) // BATCHES))
    ladder = _ladder(corpus.lengths)
    size = len(list(_cut(corpus.lengths, ladder, tokens, draw)))
    epochs = min(MOST_EPOCHS, max(EPOCHS, UPDATES // size))
    for epoch in range(epochs):
        batches = list(_cut(corpus.lengths, ladder, tokens, draw))
        words = _forgetful(corpus.encoded.words, draw)
        for number, place in enumerate(draw.permutation(size)):
            batch = _batch(corpus, words, *batches[place])
            yield batch, _rate((epoch + number / size) / epochs)


def _rate(share: float) -> float:
    """Return the learning rate after a share of the updates: linear warm-up, cosine decay."""
    if share < WARMING:
        return RATE * share / WARMING
    return RATE * (1 + math.cos(math.pi * (share - WARMING) / (1 - WARMING))) / 2


def _forgetful(words: Numbers, draw: np.random.Generator) -> Numbers:
    """Replace words that occur n times by the unknown word, each with probability 1/(n+1)."""
    counts = np.bincount(words)
    unknown = draw.random(len(words)) < 1 / (counts[words] + 1)
    return np.where(unknown, np.int32(UNKNOWN), words)


def _ladder(lengths: Places) -> list[int]:
    """Return the lengths to which segments are padded, without lengths for only a few tokens."""
    found: list[int] = []
    steps, longest = _SHORTEST, int(lengths.max())
    while steps < longest:
        lower = found[-1] if found else 0
        if lengths[(lengths > lower) & (lengths <= steps)].sum() >= _WORTH:
            found.append(steps)
        steps = round(_GROWTH * steps)
    return [*found, longest]


def _cut(
    lengths: Places, ladder: Sequence[int], tokens: int, draw: np.random.Generator
) -> Iterator[tuple[Places, int, int]]:
    """Yield (segments of a batch, its padded length, number of segments that it can hold)."""
    for lower, steps in pairwise((0, *ladder)):
        (alike,) = ((lengths > lower) & (lengths <= steps)).nonzero()
        draw.shuffle(alike)
        room = max(1, tokens // steps)
        for first in range(0, len(alike), room):
            yield alike[first : first + room], steps, room


def _batch(corpus: Corpus, words: Numbers, chosen: Places, steps: int, room: int) -> Batch:
    begins, lengths = (
        np.pad(values[chosen], (0, room - len(chosen)))
        for values in (corpus.begins, corpus.lengths)
    )
    grid = Grid.of(begins, lengths, steps)
    seen = Encoded(words, corpus.encoded.forms, corpus.encoded.spellings)
    forms, spellings = grid.spelled(seen)
    filling = -len(spellings) % max(_SPELLINGS, steps * room // 2)
    spellings = np.pad(spellings, ((0, filling), (0, 0)))
    labels = np.where(grid.alive, corpus.labels[grid.places], np.int32(0))
    vectors = np.where(grid.alive[:, :, None], corpus.vectors[corpus.rows[grid.places]], 0)
    columns = grid.words(seen), forms, spellings, grid.lengths, labels, vectors
    return Batch(*(jnp.asarray(column) for column in columns))
