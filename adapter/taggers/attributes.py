"""The tagger of values in known ``attribute: value`` pairs (Lee 2017, section 2.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import regex

from adapter.types import Label, Span, Veto

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.taggers.document.document import Document
    from adapter.taggers.document.resources import Resources
    from adapter.taggers.document.sections import Attribute, Meaning
    from adapter.taggers.trusted.index import PhraseIndex


_RUN = regex.compile(r"\S+")


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
        """Take the language's section rules."""
        self._rules = resources.sections

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
            return Veto(start, end, meaning.source, _VETOED, self.PRIORITY - 5)
        label, source = meaning.label, meaning.source
        return Span(start, end, label, source, 1.0, self.PRIORITY, sure=meaning.sure)
