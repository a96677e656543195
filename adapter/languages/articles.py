"""Articles that depend on the beginning of the next word, as "a" and "an" do.

The table ``[articles]`` of a language's file::

    vowels = "a e i o u"         # letters before which it is "an"
    consonants = "uni eu one"    # beginnings with such a letter that are spoken as consonants
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adapter.languages.reading import folded, table_of
from adapter.normalize.folding import fold

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Articles:
    """The article rules of one language; without rules the article never changes."""

    vowels: tuple[str, ...] = ()
    consonants: tuple[str, ...] = ()

    @classmethod
    def of(cls, code: str, tables: Mapping[str, Any]) -> Articles:
        """Compile the table ``[articles]`` of a language.

        Raises:
            RuleError: a key is unknown, or a value is not a string or list of words.
        """
        table = table_of(code, tables, "articles", ("vowels", "consonants"))
        return cls(*(folded(code, table.get(key, "")) for key in ("vowels", "consonants")))

    def before_vowel(self, text: str) -> bool:
        """Whether a word takes the article used before vowels ("an")."""
        word = fold(text)
        return word.startswith(self.vowels) and not word.startswith(self.consonants)
