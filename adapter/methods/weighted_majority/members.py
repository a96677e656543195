"""The members of the majority: two linear machines, two of trees, and rules.

The linear members use all hashed features of a token's window, including gazetteers. Trees use
dense rows of the columns that are most informative by chi-squared.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import numpy as np

from adapter.methods.labelled_tokens import OUTSIDE
from adapter.methods.linear.window_features import Hashed
from adapter.taggers.trusted.index import NOBODY

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from adapter.methods.arrays import Array
    from adapter.methods.identifier_rules import Identifiers
    from adapter.methods.linear.weights import Linear
    from adapter.methods.linear.window_features import Gazetteers
    from adapter.methods.trees import Trees
    from adapter.taggers.crf.tokens import SequenceTokens
    from adapter.taggers.document.document import Document


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text with its tokens, and their rows of hashed features: CSR (tokens, features)."""

    document: Document = field(repr=False)
    tokens: SequenceTokens = field(repr=False)
    rows: Any = field(repr=False)

    @classmethod
    def of(cls, document: Document, tokens: SequenceTokens, lists: Gazetteers) -> ReadText:
        """Compute the rows of a text's tokens."""
        return cls(document, tokens, Hashed().matrix([lists.keys(tokens)]))


class Member(Protocol):
    """One classifier of tokens."""

    def said(self, text: ReadText) -> list[str]:
        """Return the type of each token."""
        ...

    def files(self, name: str) -> Mapping[str, bytes]:
        """Return the contents of the member's files by file name."""
        ...


@dataclass(frozen=True, slots=True)
class LinearMember:
    """A linear machine: each token gets the type with the highest score."""

    model: Linear

    def said(self, text: ReadText) -> list[str]:
        """Return the type of each token."""
        return [self.model.types[n] for n in self.model.scores(text.rows).argmax(axis=1)]

    def files(self, name: str) -> Mapping[str, bytes]:
        """Return the weights by file name."""
        return {f"{name}.npz": self.model.packed()}


@dataclass(frozen=True, slots=True)
class TreeMember:
    """Trees over some columns: each token gets the type with the highest share."""

    trees: Trees = field(repr=False)
    types: Sequence[str]
    columns: Array = field(repr=False)

    def said(self, text: ReadText) -> list[str]:
        """Return the type of each token."""
        dense = chosen(text.rows, self.columns)
        return [self.types[n] for n in self.trees.scores(dense).argmax(axis=1)]

    def files(self, name: str) -> Mapping[str, bytes]:
        """Return the trees by file name."""
        return {f"{name}.onnx": self.trees.content}


@dataclass(frozen=True, slots=True)
class RuleMember:
    """Rules by identifiers before colons; ``kinds`` maps labels of spans to types."""

    rules: Identifiers = field(repr=False)
    kinds: Mapping[str, str]

    def said(self, text: ReadText) -> list[str]:
        """Return the type of each token."""
        found = [OUTSIDE] * len(text.tokens)
        for span in self.rules.tag(text.document, NOBODY):
            first = bisect_right(text.tokens.ends, span.start)
            end = bisect_left(text.tokens.starts, span.end)
            found[first:end] = [self.kinds[str(span.label)]] * (end - first)
        return found

    def files(self, name: str) -> Mapping[str, bytes]:
        """Return the identifiers by file name."""
        del name
        return self.rules.files()


def chosen(rows: Any, columns: Array) -> Array:
    """Return dense rows of some columns: float32 (tokens, columns)."""
    found: Array = np.ascontiguousarray(rows[:, columns].toarray(), np.float32)
    return found
