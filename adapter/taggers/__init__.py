"""Taggers: a document and the message's trusted phrases in, spans and vetoes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.grammars import grammar_tagger
from adapter.taggers.patterns import PatternTagger
from adapter.taggers.phrases import PhraseTagger
from adapter.taggers.sections import AttributeTagger
from adapter.taggers.variants import VariantTagger

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.taggers.protocol import Tagger
    from adapter.taggers.resources import Resources

TAGGERS: dict[str, Callable[[Resources], Tagger]] = {
    "phrases": PhraseTagger,
    "variants": VariantTagger,
    "patterns": PatternTagger,
    "attributes": AttributeTagger,
    "lexicons": grammar_tagger,
}
"""Every tagger by the name configuration uses; adding one is adding a line."""
GRAMMATICAL = frozenset({"lexicons"})
"""Taggers that go by a grammar: a language that asks for none goes without them."""
