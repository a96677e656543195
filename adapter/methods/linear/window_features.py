"""Features of tokens in a window, as sparse matrices (Saluja 2019; Guo 2006).

Features of a token: its word, length, count of digits, first capital, all capitals, all lower
case, punctuation, Roman numeral, apostrophe, dash. With gazetteers: the lists of first names,
surnames and places that contain the word, alone or within a longer item, and its commonness there.
Each token gets the features of the tokens at the offsets of `WINDOW`.

The paper's special words ("edad", "fax") are features as words. There are no parts of speech, and
our lists lack the mean age of people with a name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from scipy.sparse import csr_matrix
from sklearn.feature_extraction import FeatureHasher

from adapter.normalize.folding import fold
from adapter.taggers.crf.tokens import BREAK

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from adapter.taggers.crf.tokens import SequenceTokens
    from adapter.taggers.wordlists import Lexicon

WINDOW = (-1, 0, 1, 2)
"""Offsets of the tokens whose features a token gets."""
BITS = 18
"""Features are hashed to ``2 ** BITS`` columns."""
NAMES, PLACES = ("given", "family"), ("city", "country", "state", "street", "hospital")
"""Lexicons used as gazetteers, by name without the language."""

Key = tuple[str, tuple[str, ...]]
"""(form, gazetteers that contain it) of a token, which determine its features."""
EDGE: Key = ("", ())
"""Key of the positions before the first token and after the last."""

_ROMAN = re.compile(r"[IVXLC]+")
_MARK = re.compile(r"[\W_]+")
_DIGIT = re.compile(r"\d")
_LONGEST = 12
"""Greatest length; greater ones are clipped to it."""


@dataclass(frozen=True, slots=True)
class Gazetteers:
    """Lists of names and places of one language, by name; empty for the plain features."""

    lists: Mapping[str, Lexicon] = field(repr=False)

    @classmethod
    def of(cls, lexicons: Mapping[str, Lexicon], language: str) -> Gazetteers:
        """Select the gazetteers among a language's lexicons."""
        named = {name: lexicons.get(f"{language}-{name}") for name in (*NAMES, *PLACES)}
        return cls({name: lexicon for name, lexicon in named.items() if lexicon is not None})

    def keys(self, tokens: SequenceTokens) -> list[Key]:
        """Return the key of each token."""
        rows: list[list[str]] = [[] for _ in tokens.forms]
        for name, lexicon in self.lists.items():
            for place, word in enumerate(tokens.words):
                length = lexicon.longest(tokens.words, place)
                if length:
                    rows[place].append(f"{name}{lexicon.strengths.get(word, 0).bit_length()}")
                for inner in range(place, place + length):
                    rows[inner].append(name)
        return [
            (form, tuple(dict.fromkeys(row))) for form, row in zip(tokens.forms, rows, strict=True)
        ]


def shown(key: Key) -> list[str]:
    """Return the features that a key gives to the tokens of its window."""
    form, listed = key
    if not form or form in BREAK:
        return [f"w={form}"]
    word, digits = fold(form), len(_DIGIT.findall(form))
    found = [f"w={word}", f"length={min(len(form), _LONGEST)}", f"digits={digits}"]
    tests = {
        "capital": form[0].isupper(),
        "upper": form.isupper() and len(form) > 1,
        "lower": form.islower(),
        "mark": _MARK.fullmatch(form) is not None,
        "roman": _ROMAN.fullmatch(form) is not None,
        "apostrophe": "'" in form or "\u2019" in form,
        "dash": "-" in form,
    }
    found += [name for name, holds in tests.items() if holds]
    return found + [f"in={name}" for name in listed]


class Hashed:
    """Computes matrices of texts: a row per token, ``2 ** bits`` columns of hashed features.

    A row is the sum of one row per token of the window, so that each distinct key is hashed once
    per offset.
    """

    def __init__(self, window: Sequence[int] = WINDOW, bits: int = BITS) -> None:
        """Take the offsets of the window, and the logarithm of the number of columns."""
        self._window = tuple(window)
        self._hasher = FeatureHasher(1 << bits, input_type="string")

    def matrix(self, texts: Iterable[Sequence[Key]]) -> Any:
        """Return the concatenated rows of all texts: float64 CSR (tokens, features)."""
        numbers: dict[Key, int] = {EDGE: 0}
        places: list[list[int]] = [[] for _ in self._window]
        for keys in texts:
            own = [numbers.setdefault(key, len(numbers)) for key in keys]
            for offset, column in zip(self._window, places, strict=True):
                column.extend(_shifted(own, offset))
        distinct = [shown(key) for key in numbers]
        found = csr_matrix((len(places[0]), self._hasher.n_features))
        for offset, column in zip(self._window, places, strict=True):
            rows = self._hasher.transform([f"{offset}{name}" for name in row] for row in distinct)
            found = found + rows[column]
        return found


def _shifted(numbers: Sequence[int], offset: int) -> list[int]:
    """Return the number at an offset from each place; 0 beyond the ends."""
    last = len(numbers)
    return [numbers[at] if 0 <= (at := place + offset) < last else 0 for place in range(last)]
