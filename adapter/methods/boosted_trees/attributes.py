"""The numeric attributes of tokens (Szarvas 2006, section 3.1).

Orthography (kind, length, digits, capitals and digits inside, forms of ages, telephone numbers,
dates and identifiers), commonness in the language at large and how much commoner the capitalised
form is, lists of names, places and medical words, place in line and text, quotes and brackets, what
stands behind the closest heading, triggers, and the same of the four tokens on either side in
short. With about 20 types they are some 140; those that name the type of the token before are left
free here, because a text is classified from left to right.

The paper's share of capitals at the begin of sentences is not in our statistics, and lists of
streets, hospitals and months stand in for its lists of diseases and of phrases that are none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from adapter.methods.boosted_trees.headings import places
from adapter.methods.coarse_tokens import coarse
from adapter.normalize.folding import fold
from adapter.taggers.crf.tokens import BREAK, sequence_tokens
from adapter.taggers.document.document import read
from adapter.taggers.document.sections import SectionRules
from adapter.taggers.wordlists import Lexicon

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.methods.arrays import Array
    from adapter.methods.boosted_trees.headings import Headings
    from adapter.methods.boosted_trees.triggers import Triggers
    from adapter.methods.protocol import Resources
    from adapter.taggers.crf.tokens import SequenceTokens
    from adapter.taggers.document.document import Document

REACH = 4
"""Tokens on either side of which something is told."""
LISTS = ("given", "family", "city", "state", "country", "hospital", "street", "medical", "job")
"""Lexicons that are used, by their names without the language."""
COLUMNS = len(LISTS) + 1
"""Lists, the names of months last."""
FAR = 30
"""Distances above this are one."""

_KINDS = tuple(
    re.compile(pattern)
    for pattern in (
        r"[\W_]+",  # marks
        r"[^\W\dA-Z_]+",  # lower case, or capitals with accents
        r"[A-Z][^\W\dA-Z_]+",
        r"[^\W\da-z_]+",
        r"\d+",
        r"[^\W\d_]+",
        r"[\d\W_]+",
    )
)
_FORMS = tuple(
    re.compile(pattern)
    for pattern in (
        r"\d{1,2}|1[01]\d",  # ages
        r"\+?\d[\d .-]{6,14}\d",  # telephone numbers
        r"(?=.*\d)[A-Z0-9][\w/-]{4,}",  # identifiers
        r"\d{1,4}([/.-])\d{1,2}(\1\d{2,4})?",  # dates
        r"[IVXLC]+",  # Roman numerals
        r".+@.+",
        r"\d{5}",
    )
)
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


class Look:
    """What tokens look like, alone and in lists; the attributes of each form are kept."""

    def __init__(self, resources: Resources) -> None:
        """Take the word statistics and lists of a language."""
        self._stats = resources.word_stats
        named = (resources.lexicons.get(f"{resources.language.code}-{name}") for name in LISTS)
        self._lists = [*named, _months(resources)]
        self._known: dict[str, tuple[float, ...]] = {}

    def own(self, tokens: SequenceTokens) -> Array:
        """Return what each token tells of itself: float32 (tokens, `Look.width`)."""
        rows = [self._form(form) for form in tokens.forms]
        own = np.array(rows, np.float32).reshape(len(rows), self._forms)
        return np.hstack([own, self._listed(tokens.words)])

    @cached_property
    def width(self) -> int:
        """Attributes that a token tells of itself."""
        return self._forms + COLUMNS

    @cached_property
    def _forms(self) -> int:
        return len(self._form("a"))

    def _form(self, form: str) -> tuple[float, ...]:
        found = self._known.get(form)
        if found is None:
            found = self._known[form] = (*_orthography(form), *self._commonness(form))
        return found

    def _commonness(self, form: str) -> tuple[float, ...]:
        stats, lower = self._stats, form.lower()
        common = stats.band(lower)
        return stats.band(form), common, stats.band(form.capitalize()) - common

    def _listed(self, words: Sequence[str]) -> Array:
        """One column a list: 1 and the strength of an item on its first token, 1 on its others."""
        found = np.zeros((len(words), COLUMNS), np.float32)
        for column, lexicon in enumerate(self._lists):
            if lexicon is None:
                continue
            for place in range(len(words)):
                length = lexicon.longest(words, place)
                if length:
                    item = " ".join(words[place : place + length])
                    strength = 1 + lexicon.strengths[item].bit_length()
                    inside = found[place : place + length, column]
                    np.maximum(inside, 1, out=inside)
                    inside[0] = max(inside[0], strength)
        return found


def _months(resources: Resources) -> Lexicon:
    """The names of months and their short forms."""
    dates = resources.language.words.dates
    return Lexicon.parse(
        "\n".join(sorted({fold(name) for one in dates for name in one.months.forms}))
    )


def _orthography(form: str) -> tuple[float, ...]:
    if form in BREAK:
        return (-1.0, *(0.0,) * (5 + len(_FORMS)))
    kind = next((n for n, pattern in enumerate(_KINDS) if pattern.fullmatch(form)), len(_KINDS))
    digits = sum(map(str.isdigit, form))
    return (
        kind,
        len(form),
        digits,
        sum(map(str.isupper, form[1:])),
        digits - form[0].isdigit(),
        sum(not each.isalnum() for each in form),
        *(pattern.fullmatch(form) is not None for pattern in _FORMS),
    )


_SHORT = (0, 1, 2)
"""Columns of a token's own that its neighbours get: kind, length, digits."""


def around(own: Array) -> Array:
    """Return what neighbours tell: kind, length, digits, and in which lists they are as bits."""
    bits = (own[:, -COLUMNS:] > 0) @ (1 << np.arange(COLUMNS))
    short = np.column_stack([own[:, _SHORT], bits]).astype(np.float32)
    edge = np.full((REACH, short.shape[1]), -2, np.float32)
    padded = np.vstack([edge, short, edge])
    offsets = [offset for offset in range(2 * REACH + 1) if offset != REACH]
    return np.hstack([padded[offset : offset + len(own)] for offset in offsets])


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
