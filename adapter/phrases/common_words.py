"""The words of a language that phrases need: common words, nicknames, and words of dates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from adapter.normalize.folding import unspaced

if TYPE_CHECKING:
    from collections.abc import Mapping
    from collections.abc import Set as AbstractSet

    from adapter.languages.calendar import Cycle
    from adapter.languages.cues import Cues
    from adapter.languages.field_words import FieldWords
    from adapter.languages.numbers import Numbers

SHORTEST = 3
"""Minimum number of letters in a word that can be a trusted phrase by itself."""
SHORTEST_UNSPACED = 2
"""Minimum number of characters in such a word if it is Chinese, Japanese or Korean."""
SHORTEST_NUMBER = 5
"""Minimum number of digits in a number that can be a trusted phrase by itself."""


class DateWords(NamedTuple):
    """The names of months of a language, and its number words with their suffixes."""

    months: Cycle
    numbers: Numbers


@dataclass(frozen=True, slots=True, eq=False)
class WordList:
    """Folded common words and folded nicknames (given name -> short forms, and back).

    ``fields`` are the words of structured fields, ``cues`` the words beside a phrase in a text;
    both hold the words of all languages.

    Compared by identity, so that it can key memo tables.
    """

    fields: FieldWords = field(repr=False)
    dates: tuple[DateWords, ...] = field(repr=False)
    """Date words of this language, and of the language used for texts in no configured one."""
    cues: Cues = field(repr=False)
    ordinary: AbstractSet[str] = field(default=frozenset(), repr=False)
    medical: AbstractSet[str] = field(default=frozenset(), repr=False)
    nicknames: Mapping[str, tuple[str, ...]] = field(default_factory=dict, repr=False)
    dictionary: AbstractSet[str] = field(default=frozenset(), repr=False)
    """The ordinary words that a dictionary has, but no clinical text in lower case: "john"."""

    names: AbstractSet[str] = field(default=frozenset(), repr=False)
    """Names that many people or a town have, and eponyms."""
    eponyms: AbstractSet[str] = field(default=frozenset(), repr=False)
    """The eponyms of one word."""

    abbreviations: AbstractSet[str] = field(default=frozenset(), repr=False)
    """Abbreviations of clinical texts, which are codes of facilities too."""

    def weak(self, word: str) -> bool:
        """Whether a folded word is no evidence by itself: a common word, or too short."""
        return word in self.ordinary or self.weak_name(word)

    def weak_name(self, word: str) -> bool:
        """Whether a folded name is no evidence by itself: texts have it as a word, or too short."""
        if word.isdigit():
            return len(word) < SHORTEST_NUMBER
        shortest = SHORTEST_UNSPACED if unspaced(word) else SHORTEST
        common = word in self.ordinary and word not in self.dictionary
        return len(word) < shortest or common or word in self.medical


def parse_nicknames(items: str) -> dict[str, tuple[str, ...]]:
    """Parse ``rules/lexicons/<language>-nicknames/items.txt``; the table holds both directions.

    A line is a given name, a tab and one of its short or pet forms, all folded.
    """
    found: dict[str, dict[str, None]] = {}
    for line in items.splitlines():
        given, _, short = line.partition("\t")
        if short:
            found.setdefault(given, {})[short] = None
            found.setdefault(short, {})[given] = None
    return {name: tuple(others) for name, others in found.items()}
