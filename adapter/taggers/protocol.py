"""The protocol of taggers: pure functions of a document and the message's trusted phrases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.taggers.document.document import Document
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.types import Span, Veto


class Tagger(Protocol):
    """Finds mentions; compiled once and used for every document of its language.

    A tagger MUST be a pure function, MUST NOT return empty or out-of-range extents, and MUST raise
    `adapter.errors.TagError` if it cannot finish: a text that it could not read is never released.
    Spans may overlap, also with other taggers' spans; resolution unites them. ``trusting`` says
    whether the tagger uses the trusted phrases; other taggers' results depend on the text alone.
    """

    trusting: bool

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span | Veto]:
        """Return the mentions found in a document, and vetoes of extents that are not mentions."""
        ...
