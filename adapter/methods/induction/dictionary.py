"""Tagging by induced terms: alone, or where rules find a mention of the same category."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.evaluate.annotations import CATEGORY_OF
from adapter.methods.induction.contexts import Phrases
from adapter.methods.induction.tables import tables
from adapter.methods.protocol import PRIORITY, label_of
from adapter.pipeline.language import find_in
from adapter.taggers.crf.tokens import sequence_tokens
from adapter.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adapter.methods.induction.results import Induced
    from adapter.pipeline.language import Language
    from adapter.taggers.document.document import Document
    from adapter.taggers.trusted.index import PhraseIndex

SOURCE = "induce"


@dataclass(frozen=True, slots=True)
class Dictionary:
    """Tags induced terms with the type that their class names; the longest term counts."""

    induced: Induced = field(repr=False)
    phrases: Phrases = field(repr=False)
    types: Mapping[str, str] = field(repr=False)
    """Item -> type."""
    trusting: bool = False

    @classmethod
    def of(cls, induced: Induced) -> Dictionary:
        """Index terms whose classes are types.

        Raises:
            ValueError: a class is not a type.
        """
        for name in {term.name for term in induced.terms}:
            label_of(name)
        phrases = Phrases.of({term.item: term.kind for term in induced.terms})
        return cls(induced, phrases, {term.item: term.name for term in induced.terms})

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span]:
        """Return the occurrences of terms in a text as whole words."""
        del phrases
        tokens, text = sequence_tokens(document), document.text
        for first, end, item in self.phrases.found(tokens.words, tokens.forms):
            begin, stop = tokens.starts[first], tokens.ends[end - 1]
            if _whole(text, begin, stop):
                label = label_of(self.types[item])
                yield Span(begin, stop, label, SOURCE, priority=PRIORITY)

    def files(self) -> Mapping[str, bytes]:
        """Return the tables of terms and contexts by file name."""
        return {name: text.encode() for name, text in tables(self.induced).items()}


@dataclass(frozen=True, slots=True)
class Agreeing:
    """Tags terms of a dictionary where a language's rules find a mention of the same category."""

    dictionary: Dictionary
    language: Language = field(repr=False)
    trusting: bool = True

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span]:
        """Return the terms that overlap a mention of the rules of the same category."""
        theirs = find_in(document.text, phrases, self.language)
        for span in self.dictionary.tag(document, phrases):
            if any(_agree(span, other) for other in theirs):
                yield span

    def files(self) -> Mapping[str, bytes]:
        """Return the dictionary's files."""
        return self.dictionary.files()


def _agree(one: Span, other: Span) -> bool:
    overlap = one.start < other.end and other.start < one.end
    return overlap and CATEGORY_OF[str(one.label)] == CATEGORY_OF[str(other.label)]


def _whole(text: str, start: int, end: int) -> bool:
    """Whether an extent is not part of a longer word."""
    return not (text[max(0, start - 1) : start].isalnum() or text[end : end + 1].isalnum())
