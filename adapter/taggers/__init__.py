"""Taggers: from a document and the message's trusted phrases to spans and vetoes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.attributes import AttributeTagger
from adapter.taggers.grammars import grammar_tagger
from adapter.taggers.patterns.tagger import PatternTagger
from adapter.taggers.trusted.mentions import PhraseTagger
from adapter.taggers.trusted.variants.tagger import VariantTagger

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.taggers.document.resources import Resources
    from adapter.taggers.protocol import Tagger

TAGGERS: dict[str, Callable[[Resources], Tagger]] = {
    "phrases": PhraseTagger,
    "variants": VariantTagger,
    "patterns": PatternTagger,
    "attributes": AttributeTagger,
    "lexicons": grammar_tagger,
}
"""All taggers by their name in the configuration; add a line here to add a tagger."""
GRAMMATICAL = frozenset({"lexicons"})
"""Taggers that need a grammar; a language without a grammar omits them."""
