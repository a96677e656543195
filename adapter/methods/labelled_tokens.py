"""Conversion of annotated texts to labelled tokens, and of labelled tokens to mentions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.methods.protocol import PRIORITY, label_of
from adapter.taggers.crf.tokens import BREAK, sequence_tokens
from adapter.taggers.crf.weights import OUTSIDE
from adapter.taggers.document.document import read
from adapter.train.labels import labelled
from adapter.types import Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from adapter.evaluate.annotations import Annotated
    from adapter.methods.protocol import Resources
    from adapter.taggers.crf.tokens import SequenceTokens
    from adapter.taggers.document.document import Document

__all__ = [
    "OUTSIDE",
    "LabelledText",
    "classes_of",
    "extents_of",
    "labelled_text",
    "spans_of",
    "types_of",
]


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text's tokens and the IOB2 label of each ("B-DATE", "I-DATE", "O")."""

    document: Document = field(repr=False)
    tokens: SequenceTokens = field(repr=False)
    labels: list[str] = field(repr=False)


def labelled_text(text: Annotated, resources: Resources) -> LabelledText:
    """Return a text's tokens with the labels of its mentions."""
    document = read(text.text, resources.language.code, resources.language.sections)
    tokens = sequence_tokens(document)
    labels = labelled(tokens, text.mentions, lambda mention: mention.type)
    return LabelledText(document, tokens, labels)


def types_of(labels: Sequence[str]) -> list[str]:
    """Return the types of IOB2 labels: "DATE" for "B-DATE" and "I-DATE", "O" for outside."""
    return [label if label == OUTSIDE else label[2:] for label in labels]


def classes_of(texts: Iterable[Iterable[str]]) -> tuple[str, ...]:
    """Return the sorted classes of tokens, from the types of each text.

    Raises:
        RuleError: no token, or every token, is in a mention, so that there is nothing to learn.
    """
    classes = {kind for types in texts for kind in types}
    if OUTSIDE not in classes or classes == {OUTSIDE}:
        raise RuleError("train", "the texts have no mentions, or nothing but mentions")
    return tuple(sorted(classes))


def spans_of(tokens: SequenceTokens, labels: Sequence[str], source: str) -> Iterator[Span]:
    """Yield the mentions of tokens labelled in IOB2 or by types, as `extents_of`."""
    for start, end, kind in extents_of(tokens, labels):
        yield Span(start, end, label_of(kind), source, priority=PRIORITY)


def extents_of(tokens: SequenceTokens, labels: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, type) of the mentions of labelled tokens; a run of one type is a mention.

    Line breaks at the end of a run are excluded.
    """
    first, kind = 0, OUTSIDE
    for place, label in enumerate([*labels, OUTSIDE]):
        begins, now = label.startswith("B-"), types_of([_iob(label)])[0]
        if now == kind and not begins:
            continue
        if kind != OUTSIDE and (last := _last_word(tokens, first, place)) >= first:
            yield tokens.starts[first], tokens.ends[last], kind
        first, kind = place, now


def _iob(label: str) -> str:
    return label if label == OUTSIDE or label[:2] in ("B-", "I-") else f"I-{label}"


def _last_word(tokens: SequenceTokens, first: int, end: int) -> int:
    """Return the last token before ``end`` that is no line break; less than ``first`` if none."""
    last = end - 1
    while last >= first and tokens.forms[last] in BREAK:
        last -= 1
    return last
