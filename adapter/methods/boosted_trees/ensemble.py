"""One ensemble of boosted trees, which classifies a text from left to right (Szarvas 2006).

AdaBoost of 30 trees by information gain, with at least five tokens a leaf. scikit-learn lacks the
pruning of C4.5: instead trees have at most `DEPTH` levels. The last columns of a row are the type
of the token before: the annotated type while learning, the predicted type while tagging.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sklearn.ensemble import AdaBoostClassifier
from sklearn.tree import DecisionTreeClassifier

from adapter.methods.trees import as_onnx

if TYPE_CHECKING:
    from adapter.methods.arrays import Array
    from adapter.methods.trees import Trees

ROUNDS = 30
DEPTH = 12
LEAST_LEAF = 5


def boosted(rows: Array, types: Array, weights: Array, classes: int, seed: int) -> bytes:
    """Learn an ensemble from rows, their types as numbers and their weights; return its ONNX."""
    tree = DecisionTreeClassifier(
        criterion="entropy", max_depth=DEPTH, min_samples_leaf=LEAST_LEAF, random_state=seed
    )
    model = AdaBoostClassifier(tree, n_estimators=ROUNDS, random_state=seed)
    model.fit(rows, types, sample_weight=weights)
    votes = zip(model.estimators_, model.estimator_weights_, strict=False)
    trees = []
    for fitted, weight in votes:
        said = np.zeros((fitted.tree_.node_count, classes))
        best = fitted.classes_[fitted.tree_.value[:, 0, :].argmax(axis=1)]
        said[np.arange(len(said)), best] = weight
        trees.append((fitted.tree_, said))
    return as_onnx(trees, rows.shape[1], classes)


def with_types_before(rows: Array, types: Array, classes: int) -> Array:
    """Return rows with columns for the type of the token before, all 0 for the first token."""
    before = np.zeros((len(rows), classes), np.float32)
    if len(rows):
        before[np.arange(1, len(rows)), types[:-1]] = 1
    return np.hstack([rows, before])


def classified(rows: Array, trees: Trees, classes: int) -> list[int]:
    """Return the predicted type of each token of a text, as numbers."""
    wide = np.hstack([rows, np.zeros((len(rows), classes), np.float32)])
    found: list[int] = []
    for place in range(len(rows)):
        if found:
            wide[place, found[-1] - classes] = 1
        found.append(int(trees.scores(wide[place : place + 1])[0].argmax()))
    return found
