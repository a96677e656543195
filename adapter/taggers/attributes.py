"""The tagger of values in known ``attribute: value`` pairs (Lee 2017, section 2.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.types import Label, Span, Veto

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.taggers.document.document import Document
    from adapter.taggers.document.resources import Resources, WordSet
    from adapter.taggers.document.sections import Attribute, Meaning
    from adapter.taggers.trusted.index import PhraseIndex


_RUN = regex.compile(r"\S+")
_WORD = regex.compile(r"\p{L}[\p{L}'-]*")


_VETOED = frozenset(
    {
        Label.DATE, Label.AGE, Label.PHONE, Label.FAX, Label.ZIP, Label.SSN, Label.IDNUM,
        Label.MEDICALRECORD, Label.ACCOUNT, Label.HEALTHPLAN, Label.LICENSE, Label.DEVICE,
    }
)  # fmt: skip


class AttributeTagger:
    """Labels the values of known attributes, and vetoes values that are never mentions."""

    PRIORITY = 70
    trusting = False

    def __init__(self, resources: Resources) -> None:
        """Take the language's section rules and lexicons; one that it lacks has no words."""
        self._rules = resources.sections
        self._outside = {
            meaning.source: _lexicons(meaning.outside, resources)
            for meaning in self._rules.meanings.values()
            if meaning.outside
        }
        self._names = _lexicons(("given", "family"), resources)

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span | Veto]:
        """Return a span or veto for each attribute whose value has the shape its rule requires."""
        del phrases
        return self.find(document)

    def find(self, document: Document) -> list[Span | Veto]:
        """Return a span or veto for each attribute of the document with a suitable value."""
        found = (
            self._verdict(self._rules.meanings[attribute.name], attribute, document)
            for attribute in document.attributes
        )
        return [item for item in found if item is not None]

    def _verdict(
        self, meaning: Meaning, attribute: Attribute, document: Document
    ) -> Span | Veto | None:
        shape = meaning.shape or _RUN
        match = shape.match(document.text, attribute.start, attribute.end)
        if match is None:
            return None
        start, end = match.span("phi" if "phi" in shape.groupindex else 0)
        if start == end:
            return None
        if meaning.label is None:
            if not meaning.vetoes:
                return None
            return Veto(start, end, meaning.source, _VETOED, self.PRIORITY - 5)
        if meaning.outside and self._is_outside(document.folded[start:end], meaning):
            return None
        label, source = meaning.label, meaning.source
        return Span(start, end, label, source, 1.0, self.PRIORITY, sure=meaning.sure)

    def _is_outside(self, folded: str, meaning: Meaning) -> bool:
        """Whether all words of a mention are in the lexicons outside, and none is a name."""
        lexicons = self._outside[meaning.source]
        return all(
            any(word in lexicon for lexicon in lexicons)
            and not any(word in lexicon for lexicon in self._names)
            for word in _WORD.findall(folded)
        )


def _lexicons(kinds: Iterable[str], resources: Resources) -> tuple[WordSet, ...]:
    names = (f"{resources.language}-{kind}" for kind in kinds)
    return tuple(resources.lexicons[name] for name in names if name in resources.lexicons)
