"""Lexicons, and the tagger that reads names, places and organisations with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers import (
    affiliations,
    dedications,
    eponyms,
    initials,
    names,
    organisations,
    places,
    professions,
    proper,
    sequences,
    wrapping,
)
from adapter.taggers.reading import look
from adapter.taggers.vocabulary import Vocabulary
from adapter.taggers.wordlists import Lexicon

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.taggers.document import Document
    from adapter.taggers.phrases import PhraseIndex
    from adapter.taggers.resources import Resources
    from adapter.types import Span, Veto

__all__ = ["Lexicon", "LexiconTagger"]

_RULES = (
    eponyms.Eponyms,
    names.Names,
    sequences.Sequences,
    initials.Initials,
    organisations.Organisations,
    affiliations.Affiliations,
    dedications.Dedications,
    places.Places,
    professions.Professions,
    proper.Proper,
)


class LexiconTagger:
    """Names, places and organisations of one language, by lists and the words beside them."""

    trusting = False

    def __init__(self, resources: Resources) -> None:
        """Take the lexicons of the resources' language."""
        self._vocabulary = Vocabulary.of(resources)

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span | Veto]:
        """Return what lists and context say; trusted phrases play no part."""
        del phrases
        reading = look(document, self._vocabulary)
        found: list[Span | Veto] = []
        for rules in _RULES:
            found += rules(reading, self._vocabulary).find()
        return [wrapping.mended(item, document.text, self._vocabulary) for item in found]
