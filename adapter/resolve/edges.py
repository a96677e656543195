"""Edges of guesses: words beside a name are no part of it ("Smith ambulated", "Smith K 5.9")."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.priorities import Cutting, outranks

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Sequence

    from adapter.types import Span, Veto

_GAP = " \t\n\r\u00a0,;"
"""Marks between a mention and the words that are cut off."""


def cut(
    text: str, spans: Iterable[Span], vetoes: Sequence[Veto], counts: Counter[str]
) -> list[Span]:
    """Return the spans, guessed ones without their edges inside vetoes that cut.

    Spans of a known person or thing stay whole, and so do spans that are not weaker than the veto.
    The removed edges are counted by the veto's rule.
    """
    cutting = Cutting(vetoes)
    return [_cut(text, span, cutting.near(span), counts) if cutting else span for span in spans]


def _cut(text: str, span: Span, vetoes: Sequence[Veto], counts: Counter[str]) -> Span:
    for veto in vetoes:
        if span.entity is not None or not outranks(veto, span):
            continue
        start, end = _rest(text, span, veto)
        if (start, end) != (span.start, span.end):
            counts[veto.rule] += 1
            span = replace(span, start=start, end=end, form=None)
    return span


def _rest(text: str, span: Span, veto: Veto) -> tuple[int, int]:
    """Return the extent of the span without its edge in the veto; the same if a word is parted."""
    start, end = span.start, span.end
    if start < veto.start < end <= veto.end and not _parts_word(text, veto.start):
        end = start + len(text[start : veto.start].rstrip(_GAP))
    elif veto.start <= start < veto.end < end and not _parts_word(text, veto.end):
        start = end - len(text[veto.end : end].lstrip(f"{_GAP}.:"))
    return (start, end) if start < end else (span.start, span.end)


def _parts_word(text: str, place: int) -> bool:
    return text[place - 1].isalnum() and text[place].isalnum()
