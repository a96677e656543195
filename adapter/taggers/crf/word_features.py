"""Features of a token's form: shape, affixes, class, cluster, commonness, lists."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from adapter.normalize.folding import fold
from adapter.taggers.crf.tokens import BREAK

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from adapter.taggers.crf.tokens import Columns
    from adapter.taggers.crf.word_stats import WordStats
    from adapter.taggers.wordlists import Lexicon

REACH = 3
"""Tokens to either side whose words are features."""
LONGEST_WORD = 24
"""Maximum number of characters in a word in a feature."""

_CLASSES = (
    ("year", re.compile(r"(?:19|20)\d\d")),
    ("roman", re.compile(r"[IVX]+")),
    ("dd", re.compile(r"\d\d?")),
    ("d5", re.compile(r"\d{5}")),
    ("d6+", re.compile(r"\d{6,}")),
    ("digits", re.compile(r"\d+")),
    ("initial", re.compile(r"[^\W\d_a-z]")),
    ("lower", re.compile(r"[^\W\d_A-Z]{2,}")),
    ("mark", re.compile(r"[\W_]")),
)
_DIGIT = re.compile(r"\d")
_UPPER, _LOWER = re.compile(r"[^\W\d_a-zß-öø-ÿ]"), re.compile(r"[^\W\d_A-Z]")
_REPEATED = re.compile(r"(.)\1+")
_AFFIX, _SUFFIX = 4, 3
_LONGEST_SHAPE = 12


class WordFeatures:
    """Computes the features of forms by lists and word statistics."""

    def __init__(
        self,
        lexicons: Mapping[str, Lexicon],
        word_stats: WordStats,
        groups: Collection[str],
    ) -> None:
        """Take lexicons by the name that features contain, and the feature groups that are on."""
        self._groups = frozenset(groups)
        self._lexicons = sorted(lexicons.items()) if "lexicon" in self._groups else []
        self._cues = [(name, lexicon) for name, lexicon in self._lexicons if lexicon.classes]
        self._word_stats = word_stats

    def shown(self, form: str) -> Columns:
        """Return the features a form gives to tokens from `REACH` before to `REACH` after it."""
        if form in BREAK:
            return tuple((f"w{offset}={form}",) for offset in range(-REACH, REACH + 1))
        word = fold(form)
        look = shape(form) if "shape" in self._groups else ""
        bits = self._word_stats.cluster(form) if "cluster" in self._groups else ""
        near = self._near(form, word, look, bits)
        own, far = near + self._own(form, word, bits), self._far(word, look, bits)
        columns: list[tuple[str, ...]] = []
        for offset, features in enumerate(((), far, near, own, near, far, ()), -REACH):
            given = [f"{offset}{feature}" for feature in features]
            if "word" in self._groups:
                given.append(f"w{offset}={word[:LONGEST_WORD]}")
            columns.append(tuple(given))
        return tuple(columns)

    def _own(self, form: str, word: str, bits: str) -> list[str]:
        """Return the features for the token itself only."""
        found = []
        if "shape" in self._groups:
            found.append(f"sl={long_shape(form)}")
        if "affix" in self._groups:
            lengths = range(1, min(_AFFIX + 1, len(word)))
            found += [f"p{n}={word[:n]}" for n in lengths]
            found += [f"s{n}={word[-n:]}" for n in lengths if n != _SUFFIX]
        if bits:
            found += [f"k4={bits[:4]}", f"k10={bits[:10]}"]
        if "frequency" in self._groups:
            found += self._commonness(form)
        return found

    def _near(self, form: str, word: str, look: str, bits: str) -> list[str]:
        """Return the features for the token and its neighbours."""
        found = []
        if "shape" in self._groups:
            found.append(f"s={look}")
        if "class" in self._groups:
            found += [f"c={name}" for name, pattern in _CLASSES if pattern.fullmatch(form)]
        if "affix" in self._groups:
            found.append(f"s3={word[-_SUFFIX:]}")
        if "cluster" in self._groups:
            found += [f"k={bits}", f"k6={bits[:6]}"] if bits else ["k=?"]
        return found + self._listed(word)

    def _listed(self, word: str) -> list[str]:
        """Return features for the lists that contain a word, with its strength or classes."""
        found = []
        for name, lexicon in self._lexicons:
            if word in lexicon.classes:
                found += [f"x={name}.{each}" for each in lexicon.classes[word]]
            elif word in lexicon.strengths:
                found.append(f"x={name}{_strength(lexicon.strengths[word])}")
        return found

    def _far(self, word: str, look: str, bits: str) -> list[str]:
        """Return the features for tokens two places away."""
        found = []
        if "shape" in self._groups:
            found.append(f"s={look}")
        if "cluster" in self._groups:
            found.append(f"k6={bits[:6]}")
        for name, lexicon in self._cues:
            found += [f"x={name}.{each}" for each in lexicon.classes.get(word, ())]
        return found

    def _commonness(self, form: str) -> list[str]:
        stats = self._word_stats
        own, lower = stats.band(form), stats.band(form.lower())
        capital = stats.band(form.capitalize())
        return [f"f={own}", f"fl={lower}", f"fr={max(-4, min(4, capital - lower))}"]


def _strength(strength: int) -> str:
    """Return the mark of a word's strength in a list, in three steps."""
    if strength <= 1:
        return ""
    return "+" if strength < 6 else "++"  # noqa: PLR2004


class _Looks(dict[int, str]):
    """A translation table, filled on demand: letters to X or x, digits to 0."""

    def __missing__(self, code: int) -> str:
        digit = _DIGIT.sub("0", chr(code))
        self[code] = look = _LOWER.sub("x", _UPPER.sub("X", digit))
        return look


_LOOKS = _Looks()


def long_shape(form: str) -> str:
    """Return a form with its letters as X or x and its digits as 0: "McKay1" -> "XxXxx0"."""
    return form.translate(_LOOKS)[:_LONGEST_SHAPE]


@lru_cache(maxsize=1 << 15)
def shape(form: str) -> str:
    """Return the long shape with repetitions collapsed: "McKay1" -> "XxXx0"."""
    return _REPEATED.sub(r"\1", long_shape(form))
