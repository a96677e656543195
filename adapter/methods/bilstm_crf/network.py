"""The network for learning: parameters, scores of labels, and the likelihood of the CRF.

Parameters are float32, by name: tables of words (words, 100; 50 beside pretrained vectors, which
are not learned) and characters (characters, 30); a convolution over three characters with 50
filters; an LSTM in either direction, 128 wide, with its gates in the order of ONNX (input, output,
forget, cell); a layer that scores labels; and the transitions from row to column. Dropout is before
and after the LSTM (Ma & Hovy 2016, 3.2).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array, lax

from adapter.taggers.neural.vocabulary import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.taggers.crf.weights import Floats
    from adapter.taggers.neural.vocabulary import Vocabulary

Parameters = dict[str, Array]
WORD, CHARACTER, FILTERS, STATE = 100, 30, 50, 128
"""Widths of word and character vectors, of a token's character features, and of an LSTM state."""
BESIDE = 50
"""Width of word vectors where words also have pretrained ones."""
WINDOW = 3
"""Number of characters that one filter covers."""
DROPPED = 0.5
"""Dropout rate of the LSTM's inputs and outputs."""
_FORGET = slice(2 * STATE, 3 * STATE)
_TINY = 1e-30


class Batch(NamedTuple):
    """Padded segments to learn from.

    ``words``, ``forms``, ``labels``: int32 (steps, segments). ``spellings``: int32 (forms,
    characters). ``lengths``: int32 (segments,), 0 for segments that only fill the batch.
    ``vectors``: float32 (steps, segments, width), the pretrained ones; the width may be 0.
    """

    words: Array
    forms: Array
    spellings: Array
    lengths: Array
    labels: Array
    vectors: Array


def begun(vocabulary: Vocabulary, draw: np.random.Generator, given: int = 0) -> dict[str, Floats]:
    """Return initial parameters (Ma & Hovy 2016, 3.1; forget gates begin open).

    ``given`` is the width of the pretrained vectors, 0 without.
    """
    width = BESIDE if given else WORD
    words = len(vocabulary.words) + UNKNOWN + 1
    characters = len(vocabulary.characters) + UNKNOWN + 1
    labels = len(vocabulary.labels)
    found = {
        "words": _uniform(draw, (words, width), (3 / width) ** 0.5),
        "characters": _uniform(draw, (characters, CHARACTER), (3 / CHARACTER) ** 0.5),
        "filters": _glorot(draw, WINDOW * CHARACTER, FILTERS),
        "filter_bias": np.zeros(FILTERS, np.float32),
        "scores": _glorot(draw, 2 * STATE, labels),
        "score_bias": np.zeros(labels, np.float32),
        "transitions": np.zeros((labels, labels), np.float32),
    }
    for direction in ("forward", "backward"):
        bias = np.zeros(4 * STATE, np.float32)
        bias[_FORGET] = 1.0
        found[f"{direction}_input"] = _glorot(draw, given + width + FILTERS, 4 * STATE)
        found[f"{direction}_state"] = _glorot(draw, STATE, 4 * STATE)
        found[f"{direction}_bias"] = bias
    return found


def _glorot(draw: np.random.Generator, before: int, after: int) -> Floats:
    return _uniform(draw, (before, after), (6 / (before + after)) ** 0.5)


def _uniform(draw: np.random.Generator, shape: tuple[int, int], bound: float) -> Floats:
    return draw.uniform(-bound, bound, shape).astype(np.float32)


def width_of_vectors(parameters: Mapping[str, Floats]) -> int:
    """Return the width of the pretrained vectors beside which parameters were learned."""
    inputs: int = parameters["forward_input"].shape[0]
    width: int = inputs - parameters["words"].shape[1] - FILTERS
    return width


def loss(parameters: Parameters, batch: Batch, key: Array) -> Array:
    """Return the negative log likelihood of the labels, summed over segments."""
    steps = jnp.arange(len(batch.words))[:, None]
    alive = steps < batch.lengths
    scores = scored(parameters, batch, alive, key)
    moves = parameters["transitions"]
    return jnp.sum(_partition(scores, moves, alive) - _path(scores, moves, batch.labels, alive))


def scored(parameters: Parameters, batch: Batch, alive: Array, key: Array | None = None) -> Array:
    """Return scores, float32 (steps, segments, labels), with dropout if ``key`` is given."""
    spelled = _spelled(parameters, batch.spellings)
    shown = parameters["words"][batch.words]
    inputs = jnp.concatenate((batch.vectors, shown, spelled[batch.forms]), axis=2)
    first, second = (None, None) if key is None else jax.random.split(key)
    inputs = _dropout(inputs, first)
    states = [
        _lstm(parameters, "forward", inputs, alive),
        _lstm(parameters, "backward", inputs, alive),
    ]
    hidden = _dropout(jnp.concatenate(states, axis=2), second)
    return hidden @ parameters["scores"] + parameters["score_bias"]


def _spelled(parameters: Parameters, spellings: Array) -> Array:
    """Return the greatest response of each filter to a form's characters, (forms, FILTERS)."""
    count, length = spellings.shape
    shown = parameters["characters"][spellings]
    padded = jnp.pad(shown, ((0, 0), (1, 1), (0, 0)))
    windows = jnp.concatenate([padded[:, at : at + length] for at in range(WINDOW)], axis=2)
    flat = windows.reshape(count * length, WINDOW * CHARACTER) @ parameters["filters"]
    return flat.reshape(count, length, FILTERS).max(axis=1) + parameters["filter_bias"]


def _dropout(values: Array, key: Array | None) -> Array:
    if key is None:
        return values
    kept = jax.random.bernoulli(key, 1 - DROPPED, values.shape)
    return jnp.where(kept, values / (1 - DROPPED), 0.0)


def _lstm(parameters: Parameters, direction: str, inputs: Array, alive: Array) -> Array:
    """Return the states of one direction, (steps, segments, STATE); padding keeps the state."""
    count = inputs.shape[1]
    given = inputs @ parameters[f"{direction}_input"] + parameters[f"{direction}_bias"]
    recurrent = parameters[f"{direction}_state"]

    def step(
        before: tuple[Array, Array], now: tuple[Array, Array]
    ) -> tuple[tuple[Array, Array], Array]:
        state, cell = before
        gates, alive = now[0] + state @ recurrent, now[1][:, None]
        entry, output, forget = jnp.split(jax.nn.sigmoid(gates[:, : 3 * STATE]), 3, axis=1)
        cell = jnp.where(alive, forget * cell + entry * jnp.tanh(gates[:, 3 * STATE :]), cell)
        state = jnp.where(alive, output * jnp.tanh(cell), state)
        return (state, cell), state

    nothing = jnp.zeros((count, STATE))
    _, states = lax.scan(step, (nothing, nothing), (given, alive), reverse=direction == "backward")
    return states


def _partition(scores: Array, moves: Array, alive: Array) -> Array:
    """Return the log of the summed exponents of all paths, (segments,); paths start from "O"."""
    weights = jnp.exp(moves)

    def step(sums: Array, now: tuple[Array, Array]) -> tuple[Array, None]:
        here, alive = now
        most = lax.stop_gradient(sums.max(axis=1, keepdims=True))
        reached = here + most + jnp.log(jnp.exp(sums - most) @ weights + _TINY)
        return jnp.where(alive[:, None], reached, sums), None

    sums, _ = lax.scan(step, scores[0] + moves[0], (scores[1:], alive[1:]))
    return jax.nn.logsumexp(sums, axis=1) * alive[0]


def _path(scores: Array, moves: Array, labels: Array, alive: Array) -> Array:
    """Return the score of the path of the given labels, (segments,)."""
    own = jnp.take_along_axis(scores, labels[:, :, None], axis=2)[:, :, 0]
    before = jnp.concatenate((jnp.zeros_like(labels[:1]), labels[:-1]))
    return jnp.sum((own + moves[before, labels]) * alive, axis=0)
