"""What a tagger is: a pure function of one document and the message's trusted phrases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, Self

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.taggers.document.document import Document
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.types import Span, Veto


class Tagger(Protocol):
    """Finds mentions; compiled once, used for every document of its language.

    It MUST be a pure function, MUST NOT give empty or out-of-range extents, and raises
    `adapter.errors.TagError` where it cannot finish: a text it could not read is never released.
    Spans may overlap, also with other taggers' spans; resolution unites them. ``trusting`` says
    whether it goes by the trusted phrases; what others find depends on the text alone.
    """

    trusting: bool

    def tag(self, document: Document, phrases: PhraseIndex) -> Iterable[Span | Veto]:
        """Return the mentions found in document, and the extents known to be none."""
        ...


class LearnedTagger(Tagger, Protocol):
    """A tagger with a model that was learned from a corpus of its own scheme of labels."""

    def whole(self) -> Self:
        """Return the same tagger, but with mentions that only its corpus's scheme has."""
        ...
