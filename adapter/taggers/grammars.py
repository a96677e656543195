"""Grammars: how names are written in one language, for the tagger that uses lexicons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.taggers.lexicon import LexiconTagger

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.taggers.document.resources import Resources
    from adapter.taggers.protocol import Tagger

GRAMMARS: dict[str, Callable[[Resources], Tagger]] = {"english": LexiconTagger}
"""Every grammar by the name that ``rules/languages/<code>.toml`` asks for it."""


def grammar_tagger(resources: Resources) -> Tagger:
    """Return the tagger of the grammar that a language asks for.

    Raises:
        RuleError: there is no such grammar.
    """
    if resources.grammar not in GRAMMARS:
        raise RuleError(
            f"languages/{resources.language}.toml", f"no such grammar: '{resources.grammar}'"
        )
    return GRAMMARS[resources.grammar](resources)
