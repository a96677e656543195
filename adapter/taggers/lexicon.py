"""The tagger of names, places and organisations by lexicons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.taggers.english import (
    affiliations,
    dedications,
    eponyms,
    full_names,
    initials,
    names,
    organisations,
    places,
    professions,
    proper_nouns,
)
from adapter.taggers.english.vocabulary import Vocabulary
from adapter.taggers.english.words import look
from adapter.taggers.wordlists import Lexicon
from adapter.taggers.wrapping import mended

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.taggers.document.document import Document
    from adapter.taggers.document.resources import Resources
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.types import Span, Veto

__all__ = ["Lexicon", "LexiconTagger"]

_RULES = (
    eponyms.Eponyms,
    names.Names,
    full_names.Sequences,
    initials.Initials,
    organisations.Organisations,
    affiliations.Affiliations,
    dedications.Dedications,
    places.Places,
    professions.Professions,
    proper_nouns.ProperNouns,
)


class LexiconTagger:
    """Finds names, places and organisations of one language by lists and adjacent words."""

    trusting = False

    def __init__(self, resources: Resources) -> None:
        """Take the lexicons of the resources' language."""
        self._vocabulary = Vocabulary.of(resources)

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span | Veto]:
        """Return spans and vetoes by lists and context; trusted phrases play no part."""
        del phrases
        reading = look(document, self._vocabulary)
        found: list[Span | Veto] = []
        for rules in _RULES:
            found += rules(reading, self._vocabulary).find()
        return [mended(item, document.text, self._vocabulary) for item in found]
