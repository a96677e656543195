"""Ensembles of decision trees: learned by scikit-learn, stored as ONNX, run by onnxruntime."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import onnxruntime as ort
from onnx import TensorProto, helper, load_from_string

from adapter.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adapter.methods.arrays import Array

_IR, _OPSET, _TREES = 8, 15, 3
_ROWS, _SCORES, _NODE = "rows", "scores", "TreeEnsembleRegressor"
_LEAF = -1
"""scikit-learn's number for the missing child of a leaf."""


def as_onnx(trees: Iterable[tuple[Any, Array]], width: int, classes: int) -> bytes:
    """Return trees as an ONNX model that sums the values of their leaves.

    A tree is the ``tree_`` of a fitted `sklearn` tree, with the values of its nodes as leaves:
    float (nodes, classes).
    """
    nodes: dict[str, list[Any]] = {name: [] for name in _NODES}
    leaves: dict[str, list[Any]] = {name: [] for name in _LEAVES}
    for number, (tree, said) in enumerate(trees):
        inner = tree.children_left != _LEAF
        count = tree.node_count
        nodes["treeids"] += [number] * count
        nodes["nodeids"] += range(count)
        nodes["featureids"] += np.where(inner, tree.feature, 0).tolist()
        nodes["values"] += np.where(inner, _rounded_down(tree.threshold), 0).tolist()
        nodes["modes"] += ["BRANCH_LEQ" if one else "LEAF" for one in inner]
        nodes["truenodeids"] += np.where(inner, tree.children_left, 0).tolist()
        nodes["falsenodeids"] += np.where(inner, tree.children_right, 0).tolist()
        for node in np.flatnonzero(~inner):
            for kind in np.flatnonzero(said[node]):
                leaves["treeids"].append(number)
                leaves["nodeids"].append(int(node))
                leaves["ids"].append(int(kind))
                leaves["weights"].append(float(said[node, kind]))
    attributes: dict[str, Any] = {f"nodes_{name}": values for name, values in nodes.items()}
    attributes |= {f"target_{name}": values for name, values in leaves.items()}
    ensemble = helper.make_node(
        _NODE, [_ROWS], [_SCORES], domain="ai.onnx.ml", n_targets=classes, **attributes
    )
    rows = helper.make_tensor_value_info(_ROWS, TensorProto.FLOAT, [None, width])
    scores = helper.make_tensor_value_info(_SCORES, TensorProto.FLOAT, [None, classes])
    model = helper.make_model(
        helper.make_graph([ensemble], "trees", [rows], [scores]),
        opset_imports=[helper.make_opsetid("", _OPSET), helper.make_opsetid("ai.onnx.ml", _TREES)],
        ir_version=_IR,
    )
    content: bytes = model.SerializeToString()
    return content


_NODES = ("treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids")
_LEAVES = ("treeids", "nodeids", "ids", "weights")


def _rounded_down(thresholds: Array) -> Array:
    """Return thresholds in single precision, rounded down: rows have single precision too."""
    found = thresholds.astype(np.float32)
    above = found > thresholds
    found[above] = np.nextafter(found[above], np.float32(-np.inf))
    return found


class Trees:
    """A runnable ensemble."""

    def __init__(self, files: Mapping[str, bytes], name: str, width: int, classes: int) -> None:
        """Read an ensemble from a model's files.

        Raises:
            RuleError: the file is missing, or not an ensemble with these attributes and classes.
        """
        try:
            self.content = files[name]
            shape = _shape(self.content)
            options = ort.SessionOptions()
            options.intra_op_num_threads = options.inter_op_num_threads = 1
            self._session = ort.InferenceSession(
                self.content, options, providers=["CPUExecutionProvider"]
            )
        except Exception:  # noqa: BLE001 - both libraries raise many kinds of errors
            raise RuleError(name, "is not an ensemble of trees") from None
        if shape != (width, classes):
            raise RuleError(name, f"has {shape} columns and classes, not {(width, classes)}")

    def scores(self, rows: Array) -> Array:
        """Return the summed values of the trees: float32 (rows, classes)."""
        found: Array = self._session.run(None, {_ROWS: rows})[0]
        return found


def _shape(content: bytes) -> tuple[int, int]:
    """Return the numbers of attributes and classes of an ensemble.

    Raises:
        ValueError: the model has another node.
    """
    graph = load_from_string(content).graph
    (node,), (rows,), (scores,) = graph.node, graph.input, graph.output
    if node.op_type != _NODE or graph.initializer or graph.sparse_initializer:
        raise ValueError
    return tuple(one.type.tensor_type.shape.dim[1].dim_value for one in (rows, scores))
