"""A network with an LSTM of integers: nearly the same scores, the same bytes each time."""

from __future__ import annotations

import numpy as np
import onnx

from adapter.methods.bilstm_crf.graph import exported
from adapter.methods.bilstm_crf.quantization import quantized
from adapter.rules.networks import opened
from tests.methods.bilstm_crf.networks import parameters

GIVEN = {
    "words": np.array([[2, 3], [1, 0]], np.int32),
    "forms": np.array([[0, 1], [1, 0]], np.int32),
    "spellings": np.array([[2, 3, 4, 0], [3, 0, 0, 0]], np.int32),
    "lengths": np.array([2, 1], np.int32),
}


def test_scores_are_nearly_those_of_the_network():
    """An error of rounding is small beside the spread of scores."""
    content = exported(parameters())
    before, after = (opened(each)(GIVEN) for each in (content, quantized(content)))
    assert before.shape == after.shape
    assert np.abs(before - after).max() < 0.05 * np.ptp(before)
    assert np.abs(before - after).max() > 0


def test_only_the_lstm_has_integers():
    """Everything else is as it was, and the same network gives the same bytes."""
    content = exported(parameters())
    kinds = [
        [node.op_type for node in onnx.load_from_string(each).graph.node]
        for each in (content, quantized(content))
    ]
    assert kinds[1] == ["DynamicQuantizeLSTM" if kind == "LSTM" else kind for kind in kinds[0]]
    assert quantized(content) == quantized(content)
