"""The taggers of one language, applied in order to one text."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from adapter.errors import ResolveError, TagError, fails_as
from adapter.normalize.folding import fold
from adapter.normalize.numerals import Numerals, readings
from adapter.resolve import resolve
from adapter.taggers.crf.arbitration import arbitrated
from adapter.taggers.document.chunks import LONGEST, pieces
from adapter.taggers.document.columns import head_lines
from adapter.taggers.document.document import read
from adapter.taggers.document.tokens import tokenize
from adapter.taggers.trusted.index import NOBODY
from adapter.taggers.trusted.mentions import bare, located, spans

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Sequence

    from adapter.normalize.canonical import Canonical
    from adapter.phrases.common_words import WordList
    from adapter.resolve import Options
    from adapter.taggers.crf.tagger import CrfTagger
    from adapter.taggers.document.chunks import Piece
    from adapter.taggers.document.document import Document
    from adapter.taggers.document.sections import SectionRules
    from adapter.taggers.protocol import Tagger
    from adapter.taggers.trusted.index import PhraseIndex
    from adapter.types import Span, Veto

BRIEF, BRIEF_TEXTS = 120, 4096
"""Longest text that is memoised, in characters (a code's display), and most memoised texts."""

CONTEXT = 8
"""Minimum number of tokens in a text given to the learned tagger: a lone word offers no context.

Displays of codes ("Penicillin", "4 North") are left to rules, lexicons and trusted phrases.
"""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Language:
    """The taggers and word lists of one language, with memos of what they found in brief texts.

    The memos belong to the instance and are freed with it: a service that reloads its rules must
    not keep the memos of the old ones.
    """

    code: str
    sections: SectionRules = field(repr=False)
    taggers: tuple[Tagger, ...] = field(repr=False)
    options: Options = field(repr=False)
    words: WordList = field(repr=False)
    learned: CrfTagger | None = field(default=None, repr=False)
    sure: int = 0
    """With a learned tagger, rules below this priority only contribute features to it."""
    by_rules: Language = field(init=False, repr=False)
    """The same language without its learned tagger."""
    memos: Memos = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Create the variant without a learned tagger, and empty memos."""
        rules = self if self.learned is None else replace(self, learned=None)
        object.__setattr__(self, "by_rules", rules)
        object.__setattr__(self, "memos", Memos.of(self))

    def whole(self) -> Language:
        """Return a language whose model also finds mentions with labels only its corpus has."""
        return replace(self, learned=self.learned and self.learned.whole())


@dataclass(frozen=True, slots=True)
class Memos:
    """Bounded memos of pure functions: displays and short results recur in every message."""

    independent: Callable[[str], tuple[Document, tuple[tuple[Span | Veto, ...], ...]]]
    learned: Callable[[Document, tuple[Span | Veto, ...]], list[Span]]
    alone: Callable[[str], tuple[Span, ...]]
    labels: Callable[[str], bool]

    @classmethod
    def of(cls, language: Language) -> Memos:
        """Return empty memos of what the taggers of a language find."""
        memo = lru_cache(maxsize=BRIEF_TEXTS)
        return cls(
            memo(lambda text: _independent(text, language)),
            memo(lambda document, found: _learned(document, found, language)),
            memo(lambda text: find_in(text, NOBODY, language)),
            memo(lambda question: language.sections.asks(fold(question))),
        )


@fails_as(ResolveError)
def resolved(
    texts: Sequence[str],
    found: Sequence[Sequence[Span | Veto]],
    options: Options,
    known: Container[str] = frozenset(),
) -> tuple[tuple[tuple[Span, ...], ...], dict[str, int]]:
    """Return the spans of each text, and how many of them each veto rule removed.

    ``known`` are the squeezed words of the message's own names.

    Raises:
        ResolveError: the taggers' results cannot be reconciled.
    """
    return resolve(texts, found, replace(options, known=known))


def find_in(text: str, index: PhraseIndex, language: Language) -> tuple[Span, ...]:
    """Return the resolved spans of one text alone.

    Raises:
        TagError: a tagger could not finish.
        ResolveError: the taggers' results cannot be reconciled.
    """
    spans, _ = resolved([text], [tag(text, index, language)], language.options)
    return spans[0]


def tag(text: str, index: PhraseIndex, language: Language) -> list[Span | Veto]:
    """Return all spans and vetoes in one text and its canonical forms, unresolved.

    Raises:
        TagError: a tagger could not finish.
    """
    return tag_forms(text, readings(text, _NO_NUMERALS), index, language)


def tag_forms(
    text: str, forms: Iterable[Canonical], index: PhraseIndex, language: Language
) -> list[Span | Veto]:
    """Return the spans and vetoes found in a text and in its canonical forms.

    Forms with number words as digits are searched for trusted phrases only.
    """
    found = read_text(text, index, language)
    for form in forms:
        items = (
            _phrases(form.text, index) if form.counted else read_text(form.text, index, language)
        )
        found += (located(item, form) for item in items)
    return found


def _phrases(text: str, index: PhraseIndex) -> Iterable[Span]:
    return spans(bare(tokenize(text), text), text, index)


_NO_NUMERALS = Numerals()


@fails_as(TagError)
def read_text(text: str, index: PhraseIndex, language: Language) -> list[Span | Veto]:
    """Return the taggers' spans and vetoes in a text; a long text is read piece by piece.

    Raises:
        TagError: a tagger could not finish.
    """
    if len(text) <= LONGEST:
        return _tagged(text, index, language)
    lines = head_lines(text, language.sections.heads)
    return [
        item for piece in pieces(text) for item in _in_piece(piece, text, lines, index, language)
    ]


def _in_piece(
    piece: Piece,
    text: str,
    lines: Sequence[tuple[int, int, int]],
    index: PhraseIndex,
    language: Language,
) -> Iterable[Span | Veto]:
    """Return what is found in a piece, which is read below the heads of a table that it goes on."""
    lead = next((text[low : high + 1] for low, high, end in lines if high < piece.start < end), "")
    found = _tagged(lead + text[piece.start : piece.end], index, language)
    size = len(lead)
    return piece.placed(
        replace(item, start=item.start - size, end=item.end - size) if size else item
        for item in found
        if item.start >= size
    )


def _tagged(text: str, index: PhraseIndex, language: Language) -> list[Span | Veto]:
    memos = language.memos if len(text) <= BRIEF else None
    document, each = memos.independent(text) if memos else _independent(text, language)
    found: list[Span | Veto] = []
    for tagger, items in zip(language.taggers, each, strict=True):
        found += tagger.tag(document, index) if tagger.trusting else items
    if language.learned is None or len(document.tokens) < CONTEXT:
        return found
    before = tuple(found)
    learned = memos.learned(document, before) if memos else _learned(document, before, language)
    return arbitrated(text, found, learned, language.sure)


def _independent(
    text: str, language: Language
) -> tuple[Document, tuple[tuple[Span | Veto, ...], ...]]:
    """Return the document, and each tagger's results; () for those that use trusted phrases."""
    document = read(text, language.code, language.sections)
    return document, tuple(
        () if tagger.trusting else tuple(tagger.tag(document, NOBODY))
        for tagger in language.taggers
    )


def _learned(document: Document, found: tuple[Span | Veto, ...], language: Language) -> list[Span]:
    return [] if language.learned is None else language.learned.predict(document, found)
