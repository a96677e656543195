"""Ensembles of trees as ONNX."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn")
pytest.importorskip("onnxruntime")

from onnx import TensorProto, helper
from sklearn.ensemble import RandomForestClassifier

from adapter.errors import RuleError
from adapter.methods.trees import Trees, as_onnx

NAME, WIDTH, CLASSES = "forest.onnx", 4, 3


@pytest.fixture(scope="module")
def forest():
    """A forest, and rows that it was learned from."""
    draw = np.random.default_rng(7)
    rows = draw.normal(size=(400, WIDTH)).astype(np.float32)
    types = (rows[:, 0] > 0).astype(int) + (rows[:, 1] * rows[:, 2] > 0.3)
    return RandomForestClassifier(5, min_samples_leaf=3, random_state=7).fit(rows, types), rows


def content_of(forest):
    """A forest as ONNX: each leaf says its shares."""
    trees = ((one.tree_, one.tree_.value[:, 0, :] / 5) for one in forest.estimators_)
    return as_onnx(trees, WIDTH, CLASSES)


def test_trees_say_what_they_said_when_learned(forest):
    """Shares of classes are those of scikit-learn, on thresholds' borders too."""
    made, rows = forest
    trees = Trees({NAME: content_of(made)}, NAME, WIDTH, CLASSES)
    thresholds = np.concatenate([one.tree_.threshold for one in made.estimators_])
    border = np.resize(thresholds.astype(np.float32), (len(thresholds), WIDTH))
    for some in (rows, border):
        assert trees.scores(some) == pytest.approx(made.predict_proba(some), abs=1e-5)


def test_one_row_is_scored_as_among_many(forest):
    """Rows do not change one another's scores, and no rows have none."""
    made, rows = forest
    trees = Trees({NAME: content_of(made)}, NAME, WIDTH, CLASSES)
    assert np.array_equal(trees.scores(rows[3:4]), trees.scores(rows)[3:4])
    assert trees.scores(rows[:0]).shape == (0, CLASSES)


def test_the_same_trees_are_the_same_bytes(forest):
    """An ensemble is written alike each time."""
    made, _ = forest
    assert content_of(made) == content_of(made)


def test_an_ensemble_of_another_shape_is_named(forest):
    """An ensemble of other attributes or classes than expected is a clear error."""
    made, _ = forest
    content = content_of(made)
    for width, classes in ((WIDTH + 1, CLASSES), (WIDTH, CLASSES + 1)):
        with pytest.raises(RuleError, match="columns and classes"):
            Trees({NAME: content}, NAME, width, classes)


def test_a_model_of_other_nodes_is_refused():
    """A model that is no single ensemble of trees is not run."""
    shape = [None, WIDTH]
    rows = helper.make_tensor_value_info("rows", TensorProto.FLOAT, shape)
    scores = helper.make_tensor_value_info("scores", TensorProto.FLOAT, shape)
    node = helper.make_node("Identity", ["rows"], ["scores"])
    model = helper.make_model(helper.make_graph([node], "g", [rows], [scores]))
    with pytest.raises(RuleError, match=NAME):
        Trees({NAME: model.SerializeToString()}, NAME, WIDTH, WIDTH)
