"""Attributes of a token's form (orthography, commonness, lists) and of its neighbours' forms.

Our statistics lack the paper's share of capitals at the beginning of sentences. Lists of streets,
hospitals and months replace its lists of diseases and of phrases that are not PHI.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from adapter.normalize.folding import fold
from adapter.taggers.crf.tokens import BREAK
from adapter.taggers.wordlists import Lexicon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.methods.arrays import Array
    from adapter.methods.protocol import Resources
    from adapter.taggers.crf.tokens import SequenceTokens

REACH = 4
"""Neighbours on either side that contribute attributes."""
LISTS = ("given", "family", "city", "state", "country", "hospital", "street", "medical", "job")
"""Lexicons in use, by name without the language."""
COLUMNS = len(LISTS) + 1
"""Number of lists; the names of months are the last."""

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


class Look:
    """Computes the attributes of tokens by form and lists; attributes of forms are cached."""

    def __init__(self, resources: Resources) -> None:
        """Take the word statistics and lists of a language."""
        self._stats = resources.word_stats
        named = (resources.lexicons.get(f"{resources.language.code}-{name}") for name in LISTS)
        self._lists = [*named, _months(resources)]
        self._known: dict[str, tuple[float, ...]] = {}

    def own(self, tokens: SequenceTokens) -> Array:
        """Return each token's own attributes: float32 (tokens, `Look.width`)."""
        rows = [self._form(form) for form in tokens.forms]
        own = np.array(rows, np.float32).reshape(len(rows), self._forms)
        return np.hstack([own, self._listed(tokens.words)])

    @cached_property
    def width(self) -> int:
        """Number of a token's own attributes."""
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
        """Return a column per list: 1 + strength on an item's first token, 1 on its others."""
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
    """Return the names of months and their short forms as a lexicon."""
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
"""A token's own columns that its neighbours get: kind, length, digits."""


def around(own: Array) -> Array:
    """Return the neighbours' attributes: kind, length, digits, and lists as bits."""
    bits = (own[:, -COLUMNS:] > 0) @ (1 << np.arange(COLUMNS))
    short = np.column_stack([own[:, _SHORT], bits]).astype(np.float32)
    edge = np.full((REACH, short.shape[1]), -2, np.float32)
    padded = np.vstack([edge, short, edge])
    offsets = [offset for offset in range(2 * REACH + 1) if offset != REACH]
    return np.hstack([padded[offset : offset + len(own)] for offset in offsets])
