"""Vocabulary: numbers of words, characters and labels."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from adapter.taggers.crf.weights import OUTSIDE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from adapter.taggers.crf.tokens import SequenceTokens

    Numbers = NDArray[np.int32]

UNKNOWN = 1
"""Number of every word or character that is not in the vocabulary; 0 is padding."""
LONGEST = 20
"""Maximum number of characters in a token that are read."""
TEXTS = 2
"""Minimum number of texts that must contain a word or character of the vocabulary."""
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """The tokens of a text as numbers.

    ``words`` is int32 (tokens,). ``forms``, int32 (tokens,), are rows of ``spellings``, int32
    (distinct tokens, LONGEST), which holds their characters.
    """

    words: Numbers = field(repr=False)
    forms: Numbers = field(repr=False)
    spellings: Numbers = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Vocabulary:
    """Words, folded and with 0 for each digit, characters, and IOB2 labels, `OUTSIDE` first."""

    words: Mapping[str, int] = field(repr=False)
    characters: Mapping[str, int] = field(repr=False)
    labels: tuple[str, ...]

    @classmethod
    def of(
        cls, words: Iterable[str], characters: Iterable[str], labels: Iterable[str]
    ) -> Vocabulary:
        """Number words and characters in the given order."""
        return cls(_numbered(words), _numbered(characters), tuple(labels))

    def encoded(self, tokens: SequenceTokens) -> Encoded:
        """Return the tokens of a text as numbers."""
        rows: dict[str, int] = {}
        forms = [rows.setdefault(form, len(rows)) for form in tokens.forms]
        spellings = np.zeros((len(rows), LONGEST), np.int32)
        for form, row in rows.items():
            places = [self.characters.get(each, UNKNOWN) for each in form[:LONGEST]]
            spellings[row, : len(places)] = places
        words = [self.words.get(looked_up(word), UNKNOWN) for word in tokens.words]
        return Encoded(np.array(words, np.int32), np.array(forms, np.int32), spellings)

    def numbers_of(self, labels: Sequence[str]) -> Numbers:
        """Return labels as numbers, int32 (tokens,)."""
        places = {label: place for place, label in enumerate(self.labels)}
        return np.array([places[label] for label in labels], np.int32)


def looked_up(word: str) -> str:
    """Return a folded word as the vocabulary has it: "12/03" -> "00/00"."""
    return _DIGIT.sub("0", word)


def vocabulary_of(texts: Sequence[tuple[SequenceTokens, Sequence[str]]]) -> Vocabulary:
    """Build a vocabulary of the words and characters that occur in several texts.

    Texts are tokens with labels. Names in only one text are read by their characters, so that the
    model knows no patient.
    """
    words: Counter[str] = Counter()
    characters: Counter[str] = Counter()
    for tokens, _ in texts:
        words.update({looked_up(word) for word in tokens.words})
        characters.update(set("".join(tokens.forms)))
    labels = {label for _, row in texts for label in row} - {OUTSIDE}
    return Vocabulary.of(_frequent(words), _frequent(characters), (OUTSIDE, *sorted(labels)))


def _frequent(counts: Counter[str]) -> list[str]:
    return sorted(item for item, count in counts.items() if count >= TEXTS)


def _numbered(items: Iterable[str]) -> dict[str, int]:
    return {item: number for number, item in enumerate(items, UNKNOWN + 1)}
