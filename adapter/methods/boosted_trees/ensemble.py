"""One ensemble of boosted trees, and how it classifies a text from left to right (Szarvas 2006).

AdaBoost of 30 trees by information gain, at least five tokens a leaf. C4.5's pruning is not in
scikit-learn: trees have at most `DEPTH` levels instead. The last columns of a row say the type of
the token before: the annotated one while learning, then what was said of it.
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
    """Learn an ensemble from rows with the numbers of their types, and weights of rows."""
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
    """Return rows with the type of the token before as columns, none before the first."""
    before = np.zeros((len(rows), classes), np.float32)
    before[np.arange(1, len(rows)), types[:-1]] = 1
    return np.hstack([rows, before])


def classified(rows: Array, trees: Trees, classes: int) -> list[int]:
    """Return the number of the type of each token of a text."""
    wide = np.hstack([rows, np.zeros((len(rows), classes), np.float32)])
    found: list[int] = []
    for place in range(len(rows)):
        if found:
            wide[place, found[-1] - classes] = 1
        found.append(int(trees.scores(wide[place : place + 1])[0].argmax()))
    return found
