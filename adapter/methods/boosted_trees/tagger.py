"""The tagger: two votes of three ensembles of boosted trees, and standardisation (Szarvas 2006)."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from adapter.errors import RuleError
from adapter.methods.boosted_trees import attributes
from adapter.methods.boosted_trees.attributes import ReadText
from adapter.methods.boosted_trees.ensemble import classified
from adapter.methods.boosted_trees.headings import Headings
from adapter.methods.boosted_trees.look import Look, around
from adapter.methods.boosted_trees.phrases import occurrences, standardised, trusted
from adapter.methods.boosted_trees.triggers import SELECTIONS, Triggers
from adapter.methods.labelled_tokens import OUTSIDE, spans_of
from adapter.methods.protocol import label_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.methods.arrays import Array
    from adapter.methods.trees import Trees
    from adapter.taggers.document.document import Document
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.types import Span

SOURCE = "boosted-trees"
TABLES = "tables.json"
AGREEING = 2
"""Fewest ensembles that must agree on a type."""
FIRST, TRUSTED, STANDARDISED = 1, 2, 3
"""Numbers of the iterations."""


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables for the attributes: types, headings, and the triggers of each selection."""

    kinds: tuple[str, ...]
    headings: Headings = field(repr=False)
    triggers: tuple[Triggers, ...] = field(repr=False)

    @classmethod
    def read(cls, files: Mapping[str, bytes]) -> Tables:
        """Read the tables that `content` wrote.

        Raises:
            RuleError: the file is missing or malformed.
        """
        try:
            table = json.loads(files[TABLES])
            pairs = zip(SELECTIONS, table["triggers"], strict=True)
            triggers = tuple(Triggers(plan, dict(a), dict(b)) for plan, (a, b) in pairs)
            headings = Headings(dict(table["shares"]), dict(table["trusted"]))
            found = cls(tuple(table["kinds"]), headings, triggers)
            found.check()
        except (KeyError, ValueError, TypeError, AttributeError):
            raise RuleError(TABLES, "has no tables of attributes") from None
        return found

    def check(self) -> None:
        """Raise ValueError if a table has an unknown type."""
        used = {kind for shares in self.headings.shares.values() for kind in shares}
        used |= set(self.headings.trusted.values())
        for one in self.triggers:
            used |= {kind for near in (one.before, one.behind) for x in near.values() for kind in x}
        for kind in self.kinds:
            label_of(kind)
        if not used <= set(self.kinds):
            raise ValueError

    def content(self) -> bytes:
        """Return the tables as JSON bytes."""
        table: dict[str, Any] = {
            "kinds": self.kinds,
            "shares": self.headings.shares,
            "trusted": self.headings.trusted,
            "triggers": [[one.before, one.behind] for one in self.triggers],
        }
        return json.dumps(table, ensure_ascii=False, indent=1).encode()

    @property
    def numbers(self) -> dict[str, int]:
        """Type -> its number; the type of tokens outside mentions is the last."""
        return {kind: number for number, kind in enumerate((*self.kinds, OUTSIDE))}


class Attributes:
    """Computes the rows of texts, one matrix for each selection of triggers."""

    def __init__(self, tables: Tables, look: Look) -> None:
        """Take the tables, and the attributes of forms."""
        self._tables, self._look = tables, look
        self._columns = {kind: number for number, kind in enumerate(tables.kinds)}

    def rows(self, text: ReadText) -> list[Array]:
        """Return the first iteration's rows, float32 (tokens, attributes), for each selection."""
        own = self._look.own(text.tokens)
        base = np.hstack(
            [
                own,
                around(own),
                attributes.context(text.tokens),
                attributes.behind_headings(text, self._tables.headings, self._columns),
            ]
        )
        return [
            np.hstack([base, attributes.near_triggers(text, triggers, self._columns)])
            for triggers in self._tables.triggers
        ]

    def trusted(self, text: ReadText, types: Sequence[str]) -> Array:
        """Return 1 where a token is in a trusted phrase of a type: float32 (tokens, types)."""
        forms, headings = text.tokens.forms, self._tables.headings
        phrases = trusted(forms, types, headings.parts(text.words), headings.trusted)
        found = np.zeros((len(forms), len(self._columns)), np.float32)
        for first, end, kind in occurrences(forms, phrases):
            found[first:end, self._columns[kind]] = 1
        return found

    def width(self, selection: int, iteration: int) -> int:
        """Return the number of columns of an ensemble's rows, including the type before."""
        empty = ReadText.empty()
        columns: int = self.rows(empty)[selection].shape[1]
        kinds = len(self._columns)
        return columns + (kinds if iteration == TRUSTED else 0) + kinds + 1


@dataclass(frozen=True, slots=True)
class BoostedTagger:
    """Tags with the ensembles of the first training or of both trainings."""

    tables: Tables = field(repr=False)
    attributes: Attributes = field(repr=False)
    first: Sequence[Trees] = field(repr=False)
    second: Sequence[Trees] = field(repr=False)
    iterations: int = STANDARDISED
    trusting: bool = False

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span]:
        """Return runs of tokens of one type as mentions."""
        del phrases
        text = ReadText.of(document)
        return spans_of(text.tokens, self.types(text), SOURCE)

    def types(self, text: ReadText) -> list[str]:
        """Return the type of each token."""
        rows = self.attributes.rows(text)
        types = self._voted(self.first, rows)
        if self.iterations >= TRUSTED:
            known = self.attributes.trusted(text, types)
            types = self._voted(self.second, [np.hstack([each, known]) for each in rows])
        if self.iterations >= STANDARDISED:
            types = standardised(text.tokens.forms, types)
        return types

    def _voted(self, ensembles: Sequence[Trees], rows: Sequence[Array]) -> list[str]:
        """Return the type on which two of three ensembles agree, else `OUTSIDE`."""
        kinds = (*self.tables.kinds, OUTSIDE)
        said = [
            classified(each, trees, len(kinds)) for each, trees in zip(rows, ensembles, strict=True)
        ]
        votes = (Counter(each).most_common(1)[0] for each in zip(*said, strict=True))
        return [kinds[kind] if count >= AGREEING else OUTSIDE for kind, count in votes]

    def files(self) -> Mapping[str, bytes]:
        """Return the tables, and each ensemble, by file name."""
        found = {TABLES: self.tables.content()}
        for iteration, ensembles in ((FIRST, self.first), (TRUSTED, self.second)):
            for plan, trees in zip(SELECTIONS, ensembles, strict=False):
                found[file_of(plan.name, iteration)] = trees.content
        return found


def file_of(selection: str, iteration: int) -> str:
    """Return the name of an ensemble's file."""
    return f"{selection}-{iteration}.onnx"
