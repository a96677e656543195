"""Texts divided into pieces at their spans, for the templates, which escape them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.review.judging.actions import Status
from adapter.types import CATEGORIES, Label

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.review.judging.actions import Judged
    from adapter.review.views import View


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text: a span with its number, or plain text (-1)."""

    text: str = field(repr=False)
    span: int = -1
    label: str = ""
    category: str = ""
    status: str = ""


def category(label: str) -> str:
    """Return the CSS class of a label's category, "other" for an unknown label."""
    return CATEGORIES[Label(label)].lower() if label in set(Label) else "other"


def original(view: View, number: int) -> Iterator[Piece]:
    """Yield the pieces of the original text; joined, they equal it."""
    text, at = view.content.texts[number].text, 0
    for span, judged in _visible(view, number):
        if judged.start >= at:
            if judged.start > at:
                yield Piece(text[at : judged.start])
            yield _piece(text[judged.start : judged.end], span, judged)
            at = judged.end
    yield Piece(text[at:])


def sanitized(view: View, number: int) -> Iterator[Piece]:
    """Yield the pieces of a text as it would be released under the judgements so far."""
    text, at = view.content.texts[number].text, 0
    for span, judged in _visible(view, number):
        if judged.start < at or judged.status is Status.REJECTED:
            continue
        yield Piece(text[at : judged.start])
        written = judged.surrogate if judged.surrogate is not None else ""
        if judged.surrogate is None or judged.is_changed:
            written = f"[{judged.label}]"
        yield _piece(written, span, judged)
        at = judged.end
    yield Piece(text[at:])


def _visible(view: View, number: int) -> list[tuple[int, Judged]]:
    """Return (number, span) of a text in order, without rejected spans that overlap another."""
    found = [(n, s) for n, s in enumerate(view.state) if s.text == number]
    rejected = [s for _, s in found if s.status is Status.REJECTED]
    others = [s for _, s in found if s.status is not Status.REJECTED]
    hidden = [r for r in rejected if any(o.start < r.end and r.start < o.end for o in others)]
    return sorted((pair for pair in found if pair[1] not in hidden), key=lambda p: p[1].start)


def _piece(text: str, span: int, judged: Judged) -> Piece:
    return Piece(text, span, judged.label, category(judged.label), str(judged.status))
