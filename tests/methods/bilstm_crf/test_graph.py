"""The ONNX graph computes what was learned."""

from __future__ import annotations

import numpy as np
import onnxruntime
import pytest

from adapter.methods.bilstm_crf.graph import exported
from adapter.methods.bilstm_crf.network import scored
from tests.methods.bilstm_crf.networks import alive, batch, parameters


@pytest.mark.parametrize("width", [0, 6])
def test_onnxruntime_scores_as_jax_does(width):
    """Scores of real tokens are the same to five digits, in both directions and beside padding."""
    one = batch([6, 4, 1], 6, width=width)
    session = onnxruntime.InferenceSession(exported(parameters(width)))
    names = [name for name in one._fields if name not in ("labels", "" if width else "vectors")]
    given = {name: np.asarray(getattr(one, name)) for name in names}
    (found,) = session.run(["scores"], given)
    here = np.asarray(alive(one))
    expected = np.asarray(scored(parameters(width), one, alive(one)))
    assert expected.shape == found.shape
    np.testing.assert_allclose(expected[here], found[here], atol=1e-5)


def test_the_same_parameters_give_the_same_bytes():
    """Nothing of time or place gets into the file."""
    assert exported(parameters()) == exported(parameters())
