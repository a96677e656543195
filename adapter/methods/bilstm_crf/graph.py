"""The learned network as an ONNX graph, from numbers of tokens to scores of labels.

Inputs, all int32: ``words`` and ``forms`` (steps, segments), ``spellings`` (forms, characters),
``lengths`` (segments,); with pretrained vectors also ``vectors``, float32 (steps, segments, width).
Output ``scores``: float32 (steps, segments, labels). Transitions are not part of the graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper

from adapter.methods.bilstm_crf.network import CHARACTER, FILTERS, STATE, WINDOW, width_of_vectors

if TYPE_CHECKING:
    from collections.abc import Mapping

    from onnx import ModelProto, NodeProto, ValueInfoProto

    from adapter.taggers.crf.weights import Floats

OPSET, IR = 17, 8
"""Versions that runtimes some years old also read."""


def exported(parameters: Mapping[str, Floats]) -> bytes:
    """Return the bytes of the network's ONNX file, deterministically."""
    labels, width = parameters["scores"].shape[1], width_of_vectors(parameters)
    vectors = helper.make_tensor_value_info(
        "vectors", TensorProto.FLOAT, ["steps", "segments", width]
    )
    graph = helper.make_graph(
        _nodes(["vectors"] if width else []),
        "bilstm-crf",
        [
            _numbers("words", ["steps", "segments"]),
            _numbers("forms", ["steps", "segments"]),
            _numbers("spellings", ["distinct", "characters"]),
            _numbers("lengths", ["segments"]),
            *([vectors] if width else []),
        ],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["steps", "segments", labels])],
        [numpy_helper.from_array(value, name) for name, value in _constants(parameters).items()],
    )
    opset = helper.make_opsetid("", OPSET)
    model: ModelProto = helper.make_model(graph, opset_imports=[opset], ir_version=IR)
    checker.check_model(model)
    content: bytes = model.SerializeToString(deterministic=True)
    return content


def _numbers(name: str, shape: list[str]) -> ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.INT32, shape)


def _nodes(given: list[str]) -> list[NodeProto]:
    node = helper.make_node
    return [
        node("Gather", ["word_table", "words"], ["shown_words"]),
        node("Gather", ["character_table", "spellings"], ["shown_characters"]),
        node("Transpose", ["shown_characters"], ["by_character"], perm=[0, 2, 1]),
        node("Conv", ["by_character", "filters", "filter_bias"], ["responses"], pads=[1, 1]),
        node("ReduceMax", ["responses"], ["spelled"], axes=[2], keepdims=0),
        node("Gather", ["spelled", "forms"], ["shown_forms"]),
        node("Concat", [*given, "shown_words", "shown_forms"], ["inputs"], axis=2),
        node(
            "LSTM",
            ["inputs", "lstm_input", "lstm_state", "lstm_bias", "lengths"],
            ["states"],
            direction="bidirectional",
            hidden_size=STATE,
        ),
        node("Transpose", ["states"], ["side_by_side"], perm=[0, 2, 1, 3]),
        node("Reshape", ["side_by_side", "joined"], ["hidden"]),
        node("MatMul", ["hidden", "score_table"], ["unbiased"]),
        node("Add", ["unbiased", "score_bias"], ["scores"]),
    ]


def _constants(parameters: Mapping[str, Floats]) -> dict[str, Floats]:
    """Return the parameters in the layout of ONNX operators; the LSTM's bias of states is 0."""
    both = ("forward", "backward")
    bias = np.stack([parameters[f"{each}_bias"] for each in both])
    filters = parameters["filters"].reshape(WINDOW, CHARACTER, FILTERS)
    found = {
        "word_table": parameters["words"],
        "character_table": parameters["characters"],
        "filters": filters.transpose(2, 1, 0),
        "filter_bias": parameters["filter_bias"],
        "lstm_input": np.stack([parameters[f"{each}_input"].T for each in both]),
        "lstm_state": np.stack([parameters[f"{each}_state"].T for each in both]),
        "lstm_bias": np.concatenate((bias, np.zeros_like(bias)), axis=1),
        "score_table": parameters["scores"],
        "score_bias": parameters["score_bias"],
    }
    shape = np.array([0, 0, 2 * STATE], np.int64)
    return {name: np.ascontiguousarray(value) for name, value in found.items()} | {"joined": shape}
