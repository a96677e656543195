"""The numeric attributes of tokens (Szarvas 2006, section 3.1).

Orthography (kind, length, digits, capitals and digits inside, forms of ages, telephone numbers,
dates and identifiers), commonness in the general language and how much commoner the capitalised
form is, lists of names, places and medical words, position in line and text, quotes and brackets,
types after the closest heading, triggers, and a few of these for the four tokens on either side.
With 20 types there are 125 attributes, besides the type of the token before and trusted phrases.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from adapter.methods.boosted_trees.headings import places
from adapter.methods.coarse_tokens import coarse
from adapter.taggers.crf.tokens import BREAK, sequence_tokens
from adapter.taggers.document.document import read
from adapter.taggers.document.sections import SectionRules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.methods.arrays import Array
    from adapter.methods.boosted_trees.headings import Headings
    from adapter.methods.boosted_trees.triggers import Triggers
    from adapter.taggers.crf.tokens import SequenceTokens
    from adapter.taggers.document.document import Document

FAR = 30
"""Greatest distance; greater ones are clipped to it."""

_QUOTES, _OPEN, _CLOSE = frozenset("\"'\u201c\u201d\u00ab\u00bb"), frozenset("(["), frozenset(")]")
_STOPS = BREAK | {"."}


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text with its coarse tokens."""

    document: Document = field(repr=False)
    tokens: SequenceTokens = field(repr=False)

    @classmethod
    def of(cls, document: Document) -> ReadText:
        """Read a text's coarse tokens (see `adapter.methods.coarse_tokens`)."""
        return cls(document, coarse(sequence_tokens(document)))

    @classmethod
    def empty(cls) -> ReadText:
        """Return a text without tokens."""
        return cls.of(read("", "", SectionRules({})))

    @property
    def words(self) -> Sequence[str]:
        """The folded words of the tokens."""
        return self.tokens.words


def context(tokens: SequenceTokens) -> Array:
    """Return token positions, float32 (tokens, 6): in line, clause, text, quotes and brackets."""
    rows = []
    line = clause = lines = quotes = depth = 0
    for form in tokens.forms:
        rows.append((min(line, FAR), min(clause, FAR), min(lines, FAR), quotes % 2, depth > 0))
        line, clause = line + 1, clause + 1
        quotes += form in _QUOTES
        depth = max(0, depth + (form in _OPEN) - (form in _CLOSE))
        if form in _STOPS:
            clause = 0
        if form in BREAK:
            line, lines, quotes, depth = 0, lines + 1, 0, 0
    found = np.array(rows, np.float32).reshape(len(rows), 5)
    left = np.minimum(lines - np.array([row[2] for row in rows]), FAR)
    return np.column_stack([found, left]).astype(np.float32)


def behind_headings(text: ReadText, headings: Headings, kinds: Mapping[str, int]) -> Array:
    """Return the distance from the closest heading and its shares of types, (tokens, types + 1)."""
    found = np.zeros((len(text.tokens), len(kinds) + 1), np.float32)
    for place, part in enumerate(places(headings.parts(text.words), len(text.tokens))):
        if part is None:
            found[place, 0] = -1
            continue
        found[place, 0] = min(place - part.first, FAR)
        for kind, share in headings.shares[part.name].items():
            found[place, kinds[kind] + 1] = share
    return found


def near_triggers(text: ReadText, triggers: Triggers, kinds: Mapping[str, int]) -> Array:
    """Return the nearness of triggers by type, before and after: float32 (tokens, 2 * types)."""
    found = np.zeros((len(text.tokens), 2, len(kinds)), np.float32)
    for place, side, kind, nearness in triggers.nearness(text.words):
        at = (place, side, kinds[kind])
        found[at] = max(found[at], nearness)
    return found.reshape(len(text.tokens), 2 * len(kinds))
