"""Grammars of names in one language, each with a tagger that uses lexicons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.taggers.lexicon import LexiconTagger

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.taggers.document.resources import Resources
    from adapter.taggers.protocol import Tagger

GRAMMARS: dict[str, Callable[[Resources], Tagger]] = {"english": LexiconTagger}
"""All grammars by their name in ``rules/languages/<code>.toml``."""


def grammar_tagger(resources: Resources) -> Tagger:
    """Return the tagger of a language's grammar.

    Raises:
        RuleError: the grammar is unknown.
    """
    if resources.grammar not in GRAMMARS:
        raise RuleError(
            f"languages/{resources.language}.toml", f"no such grammar: '{resources.grammar}'"
        )
    return GRAMMARS[resources.grammar](resources)
