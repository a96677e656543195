"""A small vocabulary with a network that has learned nothing, and texts and segments for it."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from adapter.methods.bilstm_crf.network import Batch, begun
from adapter.taggers.crf.tokens import sequence_tokens
from adapter.taggers.document.document import read
from adapter.taggers.document.sections import SectionRules
from adapter.taggers.neural.vocabulary import LONGEST, UNKNOWN, Vocabulary

VOCABULARY = Vocabulary.of(["seen", "by", "name"], "abcdef", ["O", "B-DATE", "I-DATE"])


def tokens(text):
    """The tokens of a text."""
    return sequence_tokens(read(text, "en", SectionRules({"section": [], "attribute": []})))


def parameters(width=0):
    """Parameters with transitions of some size; beside vectors of a width."""
    draw = np.random.default_rng(3)
    found = begun(VOCABULARY, draw, width)
    found["transitions"] = draw.normal(size=(3, 3)).astype(np.float32)
    return found


def batch(lengths, steps, seed=5, width=0):
    """Segments of the given lengths with words, characters, labels and vectors by lot."""
    draw = np.random.default_rng(seed)
    shape = steps, len(lengths)
    alive = np.arange(steps)[:, None] < np.array(lengths)
    words = draw.integers(1, len(VOCABULARY.words) + UNKNOWN + 1, shape) * alive
    forms = draw.integers(0, 9, shape) * alive
    spellings = draw.integers(0, len(VOCABULARY.characters) + UNKNOWN + 1, (9, LONGEST))
    labels = draw.integers(0, 3, shape) * alive
    columns = words, forms, spellings, np.array(lengths), labels
    vectors = (draw.normal(size=(*shape, width)) * alive[:, :, None]).astype(np.float32)
    return Batch(*(jnp.asarray(column.astype(np.int32)) for column in columns), vectors)


def alive(one):
    """Which places of a batch hold a token."""
    return jnp.arange(len(one.words))[:, None] < one.lengths
