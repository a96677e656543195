"""The article before a word, where a language's depends on how the word begins.

The table ``[articles]`` of a language's file::

    vowels = "a e i o u"         # letters before which it is "an"
    consonants = "uni eu one"    # beginnings of words that are written so and said otherwise
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adapter.languages.reading import folded, table_of

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Articles:
    """The articles of one language; the same before every word where it says nothing of them."""

    vowels: tuple[str, ...] = ()
    consonants: tuple[str, ...] = ()

    @classmethod
    def of(cls, code: str, tables: Mapping[str, Any]) -> Articles:
        """Compile the table ``[articles]`` of a language.

        Raises:
            RuleError: a key is unknown, or its words are no words.
        """
        table = table_of(code, tables, "articles", ("vowels", "consonants"))
        return cls(*(folded(code, table.get(key, "")) for key in ("vowels", "consonants")))

    def before_vowel(self, text: str) -> bool:
        """Whether the article before a word is that before vowels: "an"."""
        word = text.lower()
        return word.startswith(self.vowels) and not word.startswith(self.consonants)
