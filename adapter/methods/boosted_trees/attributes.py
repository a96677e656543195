"""The numeric attributes of tokens (Szarvas 2006, section 3.1).

Orthography (kind, length, digits, capitals and digits inside, forms of ages, telephone numbers,
dates and identifiers), commonness in the language at large and how much commoner the capitalised
form is, lists of names, places and medical words, place in line and text, quotes and brackets, what
follows the closest heading, triggers, and a few of these of the four tokens on either side. With 20
types they are 125, without those that name the type of the token before or trusted phrases.
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
"""Largest distance; greater ones are cut to it."""

_QUOTES, _OPEN, _CLOSE = frozenset("\"'\u201c\u201d\u00ab\u00bb"), frozenset("(["), frozenset(")]")
_STOPS = BREAK | {"."}


@dataclass(frozen=True, slots=True)
class ReadText:
    """A text's tokens, and the folded word of each."""

    document: Document = field(repr=False)
    tokens: SequenceTokens = field(repr=False)

    @classmethod
    def of(cls, document: Document) -> ReadText:
        """Take a text's tokens as they stand between blanks."""
        return cls(document, coarse(sequence_tokens(document)))

    @classmethod
    def empty(cls) -> ReadText:
        """A text of no tokens."""
        return cls.of(read("", "", SectionRules({})))

    @property
    def words(self) -> Sequence[str]:
        """The folded words."""
        return self.tokens.words


def context(tokens: SequenceTokens) -> Array:
    """Return each token's place: in its line, its clause, the text, quotes and brackets."""
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
    """Return the distance from the closest heading, and the share of each type behind it."""
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
    """Return the nearness of the next trigger of each type, before and then behind."""
    found = np.zeros((len(text.tokens), 2, len(kinds)), np.float32)
    for place, side, kind, nearness in triggers.nearness(text.words):
        at = (place, side, kinds[kind])
        found[at] = max(found[at], nearness)
    return found.reshape(len(text.tokens), 2 * len(kinds))
