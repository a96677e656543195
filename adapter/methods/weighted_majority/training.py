"""Learning of the members from four fifths of the texts, and of their weights from the rest.

Of tokens far from mentions every fourth is used, with four times the weight.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from scipy.sparse import vstack
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import chi2
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from adapter.methods.coarse_tokens import coarse
from adapter.methods.identifier_rules import IdentifierRules
from adapter.methods.labelled_tokens import OUTSIDE, classes_of, types_of
from adapter.methods.linear.svc import ROUNDS, TOLERANCE
from adapter.methods.linear.weights import fitted
from adapter.methods.thinning import weights_of
from adapter.methods.trees import Trees, as_onnx
from adapter.methods.weighted_majority.members import (
    LinearMember,
    ReadText,
    RuleMember,
    TreeMember,
    chosen,
)
from adapter.methods.weighted_majority.tagger import (
    FORESTS,
    LINEAR,
    RULES,
    Majority,
    gazetteers,
    kinds_of,
    read,
    weight,
)
from adapter.taggers.crf.tokens import sequence_tokens
from adapter.taggers.document.document import read as read_document
from adapter.train.crossval import fold_of
from adapter.train.labels import labelled

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from adapter.evaluate.annotations import Annotated
    from adapter.methods.arrays import Array
    from adapter.methods.protocol import Resources
    from adapter.methods.weighted_majority.members import Member

FOLDS = 5
"""Number of folds, of which one is held out to weigh the members."""
COLUMNS = 400
"""Number of columns for trees."""
FOREST = 25
"""Number of trees in the forest."""
LEAST_LEAF = 2
STEPS = 40
"""Most iterations of logistic regression."""


class WeightedMajority:
    """Learns five members and weighs them."""

    def learn(self, texts: Sequence[Annotated], resources: Resources) -> Majority:
        """Learn from texts.

        Raises:
            RuleError: the texts have no mention, or nothing else.
        """
        places = [fold_of(str(text.meta.get("group") or text.id), FOLDS) for text in texts]
        learn = [text for text, place in zip(texts, places, strict=True) if place] or list(texts)
        held = [text for text, place in zip(texts, places, strict=True) if not place] or learn
        training = Training.of(learn, resources)
        columns = telling(training)
        rules = IdentifierRules().learn(learn, resources)
        members: dict[str, Member] = {
            **_linear(training),
            **_trees(training, columns),
            RULES: RuleMember(rules, kinds_of(training.classes)),
        }
        weights = weigh(members, [read_text(text, resources) for text in held])
        lists = gazetteers(resources)
        return Majority(training.classes, members, weights, columns, lists)

    def read(self, files: Mapping[str, bytes], resources: Resources) -> Majority:
        """Return the tagger of a model's files."""
        return read(files, resources)


def read_text(text: Annotated, resources: Resources) -> tuple[ReadText, list[str]]:
    """Return a text with its rows, and the type of each token."""
    document = read_document(text.text, resources.language.code, resources.language.sections)
    tokens = coarse(sequence_tokens(document))
    types = types_of(labelled(tokens, text.mentions, lambda mention: mention.type))
    return ReadText.of(document, tokens, gazetteers(resources)), types


@dataclass(frozen=True, slots=True)
class Training:
    """Rows to learn from, with their types as numbers and their weights."""

    classes: tuple[str, ...]
    rows: Any = field(repr=False)
    types: Array = field(repr=False)
    weights: Array = field(repr=False)
    seed: int

    @classmethod
    def of(cls, texts: Sequence[Annotated], resources: Resources) -> Training:
        """Read texts and select rows.

        Raises:
            RuleError: the texts have no mention, or nothing else.
        """
        read_texts = [read_text(text, resources) for text in texts]
        classes = classes_of(types for _, types in read_texts)
        numbers = {kind: number for number, kind in enumerate(classes)}
        weights = [weights_of(types) for _, types in read_texts]
        rows = [text.rows[each > 0] for (text, _), each in zip(read_texts, weights, strict=True)]
        whole = np.concatenate(weights)
        types = np.array([numbers[kind] for _, types in read_texts for kind in types])
        seed = resources.seed
        return cls(classes, vstack(rows, "csr"), types[whole > 0], whole[whole > 0], seed)


def _linear(training: Training) -> dict[str, Member]:
    models = (
        LinearSVC(max_iter=ROUNDS, tol=TOLERANCE, random_state=training.seed),
        LogisticRegression(max_iter=STEPS),
    )
    one = training
    return {
        name: LinearMember(fitted(model, one.rows, one.types, one.weights, one.classes))
        for name, model in zip(LINEAR, models, strict=True)
    }


def telling(training: Training) -> Array:
    """Return the columns that are most informative on the types by chi-squared, in order."""
    gains, _ = chi2(abs(training.rows), training.types)
    best = np.argsort(-np.nan_to_num(gains), kind="stable")[:COLUMNS]
    return np.sort(best)


def _trees(training: Training, columns: Array) -> dict[str, Member]:
    rows = chosen(training.rows, columns)
    settings = {"min_samples_leaf": LEAST_LEAF, "random_state": training.seed}
    forest = RandomForestClassifier(FOREST, **settings)
    tree = DecisionTreeClassifier(**settings)
    forest.fit(rows, training.types, training.weights)
    tree.fit(rows, training.types, training.weights)
    found: dict[str, Member] = {}
    for name, grown in zip(FORESTS, (forest.estimators_, [tree]), strict=True):
        trees = ((one.tree_, one.tree_.value[:, 0, :] / len(grown)) for one in grown)
        width, classes = len(columns), len(training.classes)
        file = f"{name}.onnx"
        content = as_onnx(trees, width, classes)
        found[name] = TreeMember(
            Trees({file: content}, file, width, classes), training.classes, columns
        )
    return found


def weigh(
    members: Mapping[str, Member], texts: Sequence[tuple[ReadText, Sequence[str]]]
) -> dict[str, float]:
    """Return the members' weights from held-out texts."""
    right = dict.fromkeys(members, 0)
    asked = 0
    for text, types in texts:
        said = {name: member.said(text) for name, member in members.items()}
        for kind, *others in zip(types, *said.values(), strict=True):
            if kind == OUTSIDE and set(others) == {OUTSIDE}:
                continue
            asked += 1
            for name, other in zip(said, others, strict=True):
                right[name] += other == kind
    return {name: weight(count, asked) for name, count in right.items()}
