"""Linear classifiers over hashed features: fitted by scikit-learn, stored as sparse weights."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning

from adapter.errors import RuleError
from adapter.methods.arrays import packed, unpacked
from adapter.methods.labelled_tokens import OUTSIDE
from adapter.methods.linear.window_features import BITS
from adapter.methods.protocol import label_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from adapter.methods.arrays import Array

LEAST = 0.001
"""Least absolute weight that is stored."""


def fitted(
    model: Any,
    rows: Any,
    types: Sequence[Any] | Array,
    weights: Array | None = None,
    classes: Sequence[str] = (),
) -> Linear:
    """Fit a linear classifier of scikit-learn to rows, with optional weights of rows.

    If ``types`` are numbers, ``classes`` are the types that they index. Empty columns are left out.
    """
    columns = np.unique(rows.indices)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(rows[:, columns], types, weights)
    return Linear.of(model, columns, classes)


@dataclass(frozen=True, slots=True)
class Linear:
    """Weights: CSR float32 (features, types) and float32 biases (types,)."""

    types: tuple[str, ...]
    weights: csr_matrix = field(repr=False)
    biases: Array = field(repr=False)

    @classmethod
    def of(cls, model: Any, columns: Array, types: Sequence[str] = ()) -> Linear:
        """Take the weights of a linear classifier of scikit-learn fitted to ``columns``.

        ``types`` are the types that its classes index; if empty, its classes are types.
        """
        some, biases = model.coef_.T.astype(np.float32), model.intercept_.astype(np.float32)
        if some.shape[1] == 1:
            some, biases = np.hstack([-some, some]), np.hstack([-biases, biases])
        some[np.abs(some) < LEAST] = 0
        weights = np.zeros((1 << BITS, some.shape[1]), np.float32)
        weights[columns] = some
        return cls(tuple(types or map(str, model.classes_)), csr_matrix(weights), biases)

    @classmethod
    def read(cls, files: Mapping[str, bytes], name: str) -> Linear:
        """Read the file that `packed` wrote.

        Raises:
            RuleError: the file is missing or malformed, or has unknown types.
        """
        found = unpacked(files, name, ("types", "biases", "data", "indices", "indptr"))
        types = tuple(map(str, found["types"]))
        parts = (found["data"], found["indices"], found["indptr"])
        try:
            weights = csr_matrix(parts, shape=(1 << BITS, len(types)))
            weights.check_format(full_check=True)
            _ = [label_of(kind) for kind in types if kind != OUTSIDE]
        except ValueError:
            raise RuleError(name, "has no weights of types") from None
        if found["biases"].shape != (len(types),):
            raise RuleError(name, "must have one bias for each type")
        return cls(types, weights, found["biases"])

    def packed(self) -> bytes:
        """Return types, weights and biases as the content of a file."""
        weights = self.weights
        return packed(
            {
                "types": np.array(self.types),
                "biases": self.biases,
                "data": weights.data,
                "indices": weights.indices.astype(np.int32),
                "indptr": weights.indptr.astype(np.int32),
            }
        )

    def scores(self, rows: Any) -> Array:
        """Return the score of each token and type: float32 (tokens, types)."""
        found: Array = np.asarray((rows @ self.weights).todense()) + self.biases
        return found
