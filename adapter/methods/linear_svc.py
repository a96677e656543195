"""A linear support vector machine over each token's window (Saluja 2019; Guo 2006).

One machine for each type against all others, over hashed features (`window_features`) of tokens as
they stand between blanks (`coarse_tokens`). Tokens are classified by type, not by IOB2 label:
neighbours of one type are one mention.

The paper classifies each token alone. Here a change of type costs half the margin, because a single
token taken for another type breaks a street or a name into three mentions.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning
from sklearn.svm import LinearSVC

from adapter.errors import RuleError
from adapter.methods.arrays import packed, unpacked
from adapter.methods.coarse_tokens import coarse
from adapter.methods.labelled_tokens import OUTSIDE, spans_of, types_of
from adapter.methods.protocol import label_of
from adapter.methods.smoothing import smoothed
from adapter.methods.window_features import BITS, Gazetteers, Hashed
from adapter.taggers.crf.tokens import sequence_tokens
from adapter.taggers.document.document import read
from adapter.train.labels import labelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from adapter.evaluate.annotations import Annotated
    from adapter.methods.arrays import Array
    from adapter.methods.protocol import Resources
    from adapter.methods.window_features import Key
    from adapter.taggers.document.document import Document
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.types import Span

SOURCE = "linear-svc"
FILE = "weights.npz"
ROUNDS = 60
"""Most rounds of coordinate descent; a few more change no figure."""
TOLERANCE = 0.01
LEAST = 0.001
"""Least weight that is kept."""
CHANGE = 0.5
"""What a change of type costs, in units of the margin."""


class LinearMethod:
    """Learns one linear machine for each type, without gazetteers."""

    gazetteers = False

    def learn(self, texts: Sequence[Annotated], resources: Resources) -> LinearTagger:
        """Fit the machines to all tokens of texts.

        Raises:
            RuleError: the texts have no mention, or nothing else.
        """
        lists = self._lists(resources)
        keys, types = training_tokens(texts, resources, lists)
        model = LinearSVC(max_iter=ROUNDS, tol=TOLERANCE, random_state=resources.seed)
        return LinearTagger(fitted(model, Hashed().matrix(keys), types), lists)

    def read(self, files: Mapping[str, bytes], resources: Resources) -> LinearTagger:
        """Return the machines of a model's files."""
        return LinearTagger(Linear.read(files, FILE), self._lists(resources))

    def _lists(self, resources: Resources) -> Gazetteers:
        if not self.gazetteers:
            return Gazetteers({})
        return Gazetteers.of(resources.lexicons, resources.language.code)


class LinearGazetteerMethod(LinearMethod):
    """Learns one linear machine for each type, gazetteers among the features."""

    gazetteers = True


def training_tokens(
    texts: Sequence[Annotated], resources: Resources, lists: Gazetteers
) -> tuple[list[list[Key]], list[str]]:
    """Return the keys of each text's tokens, and the types of all tokens in one row.

    Raises:
        RuleError: the tokens are all of one type, or there are none.
    """
    keys: list[list[Key]] = []
    types: list[str] = []
    for text in texts:
        document = read(text.text, resources.language.code, resources.language.sections)
        tokens = coarse(sequence_tokens(document))
        keys.append(lists.keys(tokens))
        types += types_of(labelled(tokens, text.mentions, lambda mention: mention.type))
    if len(set(types)) < 2:  # noqa: PLR2004 - one class is nothing to tell apart
        raise RuleError("train", "the texts have no mention, or nothing beside mentions")
    return keys, types


def fitted(
    model: Any,
    rows: Any,
    types: Sequence[Any] | Array,
    weights: Array | None = None,
    classes: Sequence[str] = (),
) -> Linear:
    """Fit a linear classifier of scikit-learn to rows, which may have weights.

    ``classes`` are the types that ``types`` are numbers of. Columns that no row has are left out.
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
        """Take the weights of a linear classifier of scikit-learn, fitted to some columns.

        ``types`` are those that its classes are numbers of; without any its classes are types.
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
        """Read what `packed` wrote.

        Raises:
            RuleError: it is none.
        """
        found = unpacked(files, name, ("types", "biases", "data", "indices", "indptr"))
        types = tuple(map(str, found["types"]))
        parts = (found["data"], found["indices"], found["indptr"])
        try:
            weights = csr_matrix(parts, shape=(1 << BITS, len(types)))
            weights.check_format(full_check=True)
            _ = [label_of(kind) for kind in types if kind != OUTSIDE]
        except ValueError as error:
            raise RuleError(name, f"has no weights of types ({type(error).__name__})") from None
        if found["biases"].shape != (len(types),):
            raise RuleError(name, "has not one bias for each type")
        return cls(types, weights, found["biases"])

    def packed(self) -> bytes:
        """Return the weights as the content of a file."""
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

    def best(self, rows: Any) -> list[str]:
        """Return the type of each token of a text."""
        return [self.types[number] for number in smoothed(self.scores(rows), CHANGE)]


@dataclass(frozen=True, slots=True)
class LinearTagger:
    """The machines, and the gazetteers that they were learned with."""

    model: Linear
    lists: Gazetteers
    trusting: bool = False

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span]:
        """Return runs of tokens of one type."""
        del phrases
        tokens = coarse(sequence_tokens(document))
        types = self.model.best(Hashed().matrix([self.lists.keys(tokens)]))
        return spans_of(tokens, types, SOURCE)

    def files(self) -> Mapping[str, bytes]:
        """The weights."""
        return {FILE: self.model.packed()}
