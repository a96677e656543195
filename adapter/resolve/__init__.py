"""Resolution: turn the results of all taggers in one message into disjoint, typed spans.

Overlaps are united and typed by priority (trusted phrases over rules over lexicons and models);
types and edges are corrected by context; who is listed beside a person is a person too; the same
string gets the same type throughout the message, and a name or number found for certain once is
also marked where it was missed (Lee 2017, section 2.6; Szarvas 2006, section 3.3). A full name
replaces its parts found elsewhere, a double name is whole. Coverage never shrinks: only a named
veto, inside it or at the edge of a guess, or the end of a name's sentence uncovers text, and this
is counted, and of what a model found a title, "and" or full stop at its edge. A text in which only
learned taggers find something, and nothing surely, has no mentions, and labels that a model is
often wrong about need a greater score; this is counted too.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.languages.context import Context
from adapter.normalize.folding import fold
from adapter.resolve.alone import without_unsure
from adapter.resolve.cells import within_cells
from adapter.resolve.complete import complete
from adapter.resolve.coordinate import Words, coordinate
from adapter.resolve.correct import correct
from adapter.resolve.double import with_halves
from adapter.resolve.edges import cut
from adapter.resolve.reconcile import reconcile
from adapter.resolve.sentences import within_sentence
from adapter.resolve.standardise import standardise
from adapter.resolve.trim import trim
from adapter.resolve.unite import join, unite, without_vetoed
from adapter.types import Span, Veto

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from adapter.types import Label

    Found = Sequence[Span | Veto]
    Spans = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Options:
    """Settings of resolution and the words of the language.

    ``ordinary``: folded words that are no evidence of a name by themselves; ``nameless``: folded
    words that are nobody's name; ``shared``: ordinary words that are names too. ``dotted``: folded
    words that may have a point within a name, such as titles. ``known``: squeezed words of the
    message's own names. ``states``: folded names and codes that a STATE span must match; None
    switches the test off. ``context``: words beside mentions. ``alone``: the least score of a
    learned mention in a text without others, below which the text has none. ``doubted``: the labels
    whose learned mentions need that score in every text.
    """

    ordinary: Container[str] = field(default=frozenset(), repr=False)
    states: Container[str] | None = field(default=None, repr=False)
    correct: bool = True
    reconcile: bool = True
    standardise: bool = False
    nameless: Container[str] = field(default=frozenset(), repr=False)
    dotted: Container[str] = field(default=frozenset(), repr=False)
    known: Container[str] = field(default=frozenset(), repr=False)
    context: Context = field(default_factory=Context, repr=False)
    shared: Container[str] = field(default=frozenset(), repr=False)
    alone: float = 0.0
    doubted: Container[Label] = frozenset()


def resolve(
    texts: Sequence[str], found: Sequence[Found], options: Options | None = None
) -> tuple[tuple[Spans, ...], dict[str, int]]:
    """Return the disjoint, sorted spans of each text, and how many spans each veto rule removed.

    ``found[i]`` are the spans and vetoes of ``texts[i]``, with offsets in its characters.
    """
    options = options or Options()
    context = options.context
    counts: Counter[str] = Counter()
    vetoes = [[item for item in items if isinstance(item, Veto)] for items in found]
    granted = [
        _granted(text, items, vetoed, counts, options)
        for text, items, vetoed in zip(texts, found, vetoes, strict=True)
    ]
    spans = [unite(text, row, context) for text, row in zip(texts, granted, strict=True)]
    if options.correct:
        spans = [
            correct(text, row, options.states, context)
            for text, row in zip(texts, spans, strict=True)
        ]
    words = Words(options.ordinary, options.shared, options.dotted)
    spans = [
        coordinate(text, row, vetoed, words, context)
        for text, row, vetoed in zip(texts, spans, vetoes, strict=True)
    ]
    if options.reconcile:
        spans = complete(texts, reconcile(texts, spans, vetoes, options.ordinary, context))
    if options.standardise:
        spans = standardise(texts, spans, vetoes, options.ordinary)
    spans = [
        with_halves(text, row, options.ordinary) for text, row in zip(texts, spans, strict=True)
    ]
    spans = [list(join(text, row, context)) for text, row in zip(texts, spans, strict=True)]
    if options.correct:
        spans = [trim(text, row, context) for text, row in zip(texts, spans, strict=True)]
    if options.alone:
        spans = [
            without_unsure(text, row, ruled, (options.alone, options.doubted), counts)
            for text, row, ruled in zip(texts, spans, granted, strict=True)
        ]
    return tuple(tuple(row) for row in spans), dict(counts)


def _granted(
    text: str, items: Found, vetoes: Sequence[Veto], counts: Counter[str], options: Options
) -> list[Span]:
    """Return the spans that no veto removes, names within their sentence and their table cell."""
    spans = within_sentence(
        text,
        within_cells(text, (item for item in items if isinstance(item, Span))),
        counts,
        nameless=options.nameless,
        dotted=options.dotted,
        known=options.known,
    )
    spans = cut(text, spans, vetoes, counts)
    return without_vetoed(spans, vetoes, counts, _lead(text, options.nameless))


def _lead(text: str, nameless: Container[str]) -> Callable[[int, int], bool]:
    """Return a test whether an extent (start, end) of the text is a word that is nobody's name."""
    return lambda start, end: fold(text[start:end].strip()) in nameless
