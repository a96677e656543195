"""What taggers are compiled from: parsed rule files and word lists of one language."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping

    from adapter.taggers.document.sections import SectionRules
    from adapter.taggers.neural.model import NeuralModel


class WordSet(Protocol):
    """What a lexicon offers to patterns: its items in folded form, and membership of them."""

    def __contains__(self, item: object) -> bool:
        """Whether a folded string is an item."""
        ...

    def __iter__(self) -> Iterator[str]:
        """The items, folded."""
        ...


@dataclass(frozen=True, slots=True)
class Resources:
    """Everything a tagger of one language may be built from; nothing of it is read from disk.

    ``patterns`` are the parsed ``rules/patterns/<language>/*.toml`` (see
    `adapter.taggers.patterns.tagger` for the format), ``lexicons`` the compiled
    ``rules/lexicons/*`` by folder name, ``sections`` the compiled
    ``rules/sections/<language>.toml``, ``words`` the ordinary words of the language. ``glued`` and
    ``apostrophes`` are of family names, see `adapter.languages.field_words`.
    """

    language: str
    patterns: tuple[Mapping[str, Any], ...] = field(repr=False)
    lexicons: Mapping[str, WordSet] = field(repr=False)
    sections: SectionRules = field(repr=False)
    words: Container[str] = field(default=frozenset(), repr=False)
    grammar: str = ""
    """The name of the grammar of its names, in `adapter.taggers.grammars`; "" for none."""
    glued: Container[str] = field(default=frozenset(), repr=False)
    apostrophes: Container[str] = field(default=frozenset(), repr=False)
    neural: NeuralModel | None = field(default=None, repr=False)
    """The opened neural model, where one is asked for and the language has one."""
