"""Taggers: a document and the message's trusted phrases in, spans and vetoes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.attributes import AttributeTagger
from adapter.taggers.grammars import grammar_tagger
from adapter.taggers.neural.tagger import NeuralTagger
from adapter.taggers.patterns.tagger import PatternTagger
from adapter.taggers.trusted.index import PhraseTagger
from adapter.taggers.trusted.variants import VariantTagger

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.taggers.document.resources import Resources
    from adapter.taggers.protocol import LearnedTagger, Tagger

TAGGERS: dict[str, Callable[[Resources], Tagger]] = {
    "phrases": PhraseTagger,
    "variants": VariantTagger,
    "patterns": PatternTagger,
    "attributes": AttributeTagger,
    "lexicons": grammar_tagger,
}
"""Every tagger by the name configuration uses; adding one is adding a line."""
GRAMMATICAL = frozenset({"lexicons"})
"""Taggers that need a grammar: a language without one omits them."""
ADDING: dict[str, Callable[[Resources], LearnedTagger]] = {"neural": NeuralTagger}
"""Learned taggers beside the CRF: they need a model, are no evidence for the CRF, and read no text
that is too short for it. A language without a model omits them."""
