"""The network: likelihoods add up, and padding changes nothing."""

from __future__ import annotations

from itertools import product

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from adapter.methods.bilstm_crf.network import _partition, _path, loss, scored
from tests.methods.bilstm_crf.networks import alive, batch, parameters

LEARNED = jax.jit(jax.value_and_grad(loss))


def test_the_partition_sums_all_paths():
    """The log of the sum over all paths is that of enumerating them."""
    draw = np.random.default_rng(1)
    scores = draw.normal(size=(4, 1, 3)).astype(np.float32)
    moves = draw.normal(size=(3, 3)).astype(np.float32)
    here = jnp.array([[True], [True], [True], [False]])
    paths = []
    for path in product(range(3), repeat=3):
        labels = jnp.array([[each] for each in (*path, 0)])
        paths.append(float(_path(jnp.array(scores), jnp.array(moves), labels, here)[0]))
        own = sum(scores[step, 0, label] for step, label in enumerate(path))
        assert paths[-1] == pytest.approx(
            own + sum(moves[a, b] for a, b in zip((0, *path), path, strict=False)), abs=1e-5
        )
    found = float(_partition(jnp.array(scores), jnp.array(moves), here)[0])
    assert found == pytest.approx(float(np.log(np.sum(np.exp(paths)))), abs=1e-5)


@pytest.mark.parametrize("width", [0, 4])
def test_padding_changes_no_score(width):
    """A segment has the same scores alone and beside a longer one."""
    both = batch([5, 3], 5, width=width)
    one = both._replace(
        words=both.words[:3, 1:],
        forms=both.forms[:3, 1:],
        lengths=both.lengths[1:],
        labels=both.labels[:3, 1:],
        vectors=both.vectors[:3, 1:],
    )
    beside = scored(parameters(width), both, alive(both))[:3, 1]
    alone = scored(parameters(width), one, alive(one))[:, 0]
    np.testing.assert_allclose(beside, alone, atol=1e-5)


def test_what_fills_a_batch_costs_nothing():
    """Segments of no length add nothing to the loss and to its slopes."""
    cost, slopes = LEARNED(parameters(), batch([0, 0, 0], 4), jax.random.key(1))
    assert 0 == float(cost)
    assert all(not np.any(np.asarray(slope)) for slope in slopes.values())


def test_a_segment_is_not_likelier_than_certain():
    """The negative log likelihood of labels is above zero, and all slopes are finite."""
    cost, slopes = LEARNED(parameters(), batch([4, 2, 0], 4), jax.random.key(1))
    assert float(cost) > 0
    assert all(np.isfinite(np.asarray(slope)).all() for slope in slopes.values())
