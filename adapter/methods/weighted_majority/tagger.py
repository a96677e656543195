"""The weighted vote of the members (Saluja 2019).

A member's weight is the log-odds of its accuracy on held-out texts, over the tokens that are in a
mention by annotation or by any member; on other tokens all agree. A token gets the type with the
greatest weight, where a change of type costs a share of all weights
(`adapter.methods.linear.smoothing`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from math import log
from typing import TYPE_CHECKING

import numpy as np

from adapter.errors import RuleError
from adapter.methods.coarse_tokens import coarse
from adapter.methods.identifier_rules import IdentifierRules
from adapter.methods.labelled_tokens import OUTSIDE, spans_of
from adapter.methods.linear.smoothing import smoothed
from adapter.methods.linear.weights import Linear
from adapter.methods.linear.window_features import BITS, Gazetteers
from adapter.methods.protocol import label_of
from adapter.methods.trees import Trees
from adapter.methods.weighted_majority.members import LinearMember, ReadText, RuleMember, TreeMember
from adapter.taggers.crf.tokens import sequence_tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.methods.arrays import Array
    from adapter.methods.protocol import Resources
    from adapter.methods.weighted_majority.members import Member
    from adapter.taggers.document.document import Document
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.types import Span

SOURCE = "weighted-majority"
CARD = "majority.json"
LINEAR, FORESTS, RULES = ("linear-svc", "logistic"), ("forest", "tree"), "identifier-rules"
"""Names of the members."""
COST = 0.2
"""Cost of a change of type, as a share of the sum of weights."""


@dataclass(frozen=True, slots=True)
class Majority:
    """The members by name, their weights, and the columns of trees."""

    types: tuple[str, ...]
    members: Mapping[str, Member] = field(repr=False)
    weights: Mapping[str, float]
    columns: Array = field(repr=False)
    lists: Gazetteers = field(repr=False)
    trusting: bool = False

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span]:
        """Return runs of tokens of one type as mentions."""
        del phrases
        text = ReadText.of(document, coarse(sequence_tokens(document)), self.lists)
        said = {name: member.said(text) for name, member in self.members.items()}
        return spans_of(text.tokens, self.elected(said), SOURCE)

    def elected(self, said: Mapping[str, Sequence[str]]) -> list[str]:
        """Return the elected type of each token, from the types by member."""
        numbers = {kind: number for number, kind in enumerate(self.types)}
        votes = np.zeros((len(said[RULES]), len(self.types)))
        for name, types in said.items():
            votes[np.arange(len(types)), [numbers[kind] for kind in types]] += self.weights[name]
        return [self.types[n] for n in smoothed(votes, COST * sum(self.weights.values()))]

    def files(self) -> Mapping[str, bytes]:
        """Return a card of types, weights and columns, and the files of all members."""
        card = {"types": self.types, "weights": self.weights, "columns": self.columns.tolist()}
        found = {CARD: json.dumps(card, indent=1).encode()}
        for name, member in self.members.items():
            found |= member.files(name)
        return found


def read(files: Mapping[str, bytes], resources: Resources) -> Majority:
    """Return the majority in the files of `Majority.files`.

    Raises:
        RuleError: a file is missing or malformed.
    """
    try:
        card = json.loads(files[CARD])
        types = tuple(card["types"])
        kinds = kinds_of(types)
        weights = {str(name): float(weight) for name, weight in card["weights"].items()}
        columns = np.array(card["columns"], np.int64)
    except (KeyError, ValueError, TypeError, AttributeError):
        raise RuleError(CARD, "is not the card of a majority") from None
    if set(weights) != {*LINEAR, *FORESTS, RULES} or not _within(columns):
        raise RuleError(CARD, "must have the members and columns of a majority")
    members: dict[str, Member] = {}
    for name in LINEAR:
        members[name] = LinearMember(Linear.read(files, f"{name}.npz"))
    for name in FORESTS:
        trees = Trees(files, f"{name}.onnx", len(columns), len(types))
        members[name] = TreeMember(trees, types, columns)
    members[RULES] = RuleMember(IdentifierRules().read(files, resources), kinds)
    return Majority(types, members, weights, columns, gazetteers(resources))


def _within(columns: Array) -> bool:
    return columns.ndim == 1 and bool(((columns >= 0) & (columns < 1 << BITS)).all())


def kinds_of(types: Iterable[str]) -> dict[str, str]:
    """Map labels of spans to types.

    Raises:
        ValueError: a type is unknown.
    """
    return {str(label_of(kind)): kind for kind in types if kind != OUTSIDE}


def gazetteers(resources: Resources) -> Gazetteers:
    """Return the lists of a language's names and places."""
    return Gazetteers.of(resources.lexicons, resources.language.code)


def weight(right: int, asked: int) -> float:
    """Return the smoothed log-odds of being right, at least 0.01."""
    accuracy = (right + 1) / (asked + 2)
    return max(0.01, log(accuracy / (1 - accuracy)))
