"""The resources of taggers: parsed rule files and word lists of one language."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import regex

from adapter.languages.written_days import WrittenDays

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from adapter.taggers.document.sections import SectionRules


class WordSet(Protocol):
    """The interface of lexicons for patterns: folded items and membership."""

    def __contains__(self, item: object) -> bool:
        """Whether a folded string is an item."""
        ...

    def __iter__(self) -> Iterator[str]:
        """Iterate over the folded items."""
        ...


Compile = Callable[[str], regex.Pattern[str]]
"""Compiles a verbose, multi-line regex."""


def compile_verbose(source: str) -> regex.Pattern[str]:
    """Compile a verbose, multi-line regex.

    Raises:
        regex.error: the source is not a regex.
    """
    return regex.compile(source, regex.VERBOSE | regex.MULTILINE)


@dataclass(frozen=True, slots=True)
class Resources:
    """All resources for the taggers of one language, already read and compiled.

    ``patterns`` are the parsed ``rules/patterns/<language>/*.toml`` (see
    `adapter.taggers.patterns.tagger` for the format), ``lexicons`` the compiled
    ``rules/lexicons/*`` by folder name, ``sections`` the compiled
    ``rules/sections/<language>.toml``, ``words`` the ordinary words of the language. ``glued`` and
    ``apostrophes`` describe family names, see `adapter.languages.field_words`; ``written_days`` are
    the words of days in all languages.
    """

    language: str
    patterns: tuple[Mapping[str, Any], ...] = field(repr=False)
    lexicons: Mapping[str, WordSet] = field(repr=False)
    sections: SectionRules = field(repr=False)
    words: Container[str] = field(default=frozenset(), repr=False)
    grammar: str = ""
    """The name of the language's grammar in `adapter.taggers.grammars`; "" for none."""
    glued: Container[str] = field(default=frozenset(), repr=False)
    apostrophes: Container[str] = field(default=frozenset(), repr=False)
    written_days: WrittenDays = field(default_factory=WrittenDays, repr=False)
    compile_regex: Compile = field(default=compile_verbose, repr=False)

    def is_common(self, word: str) -> bool:
        """Whether a folded word is an ordinary or a medical word of the language."""
        return word in self.words or word in self.lexicons.get(f"{self.language}-medical", ())
