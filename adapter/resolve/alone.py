"""What learned taggers find and are not sure of.

A text without personal content is full of words that might be a name or a number of somebody.
Where few or none of its words are mentions, an unlikely one is less probable than among others;
a name of somebody counts all the same if the text has anything that is sure. In every text, ages
are guessed from counts and durations, and days from fractions; a model says which labels it is
often wrong about, and they count where it is sure or a rule agrees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.resolve.unite import NAMES
from adapter.types import LEARNED_SOURCE, Label

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Container, Iterable

    from adapter.types import Span

RULE, DOUBTED = "resolve.alone", "resolve.doubted"


_TELLING_DIGITS = 6
"""Digits of a number that may be somebody's whatever its score."""
_WORDS_PER_MENTION = 25
"""Greatest number of words for each likely mention in a text whose unlikely ones count."""


def without_unsure(
    text: str,
    spans: Iterable[Span],
    found: Iterable[Span],
    limits: tuple[float, Container[Label]],
    counts: Counter[str],
) -> list[Span]:
    """Return a text's spans without learned ones that count only if they are sure, and are not.

    ``limits`` are the least score of a sure one, and the labels that must be sure in every text;
    the others must be where little is sure. Long numbers count whatever their scores, and so does
    what is written like a sure mention there; where anything is sure, names do, too. ``found`` are
    the spans before they were united: a rule's mention counts though a learned one took its place.
    """
    least, doubted = limits
    row = list(spans)
    ruled = {
        place
        for span in found
        if _counts(text, span, least)
        for place in range(span.start, span.end)
    }
    sure = [
        span
        for span in row
        if _counts(text, span, least) or not ruled.isdisjoint(range(span.start, span.end))
    ]
    certain = set(sure)
    left = [span for span in row if span in certain or not _is_doubted(text, span, doubted)]
    if len(left) < len(row):
        counts[DOUBTED] += len(row) - len(left)
    if len(sure) == len(left) or (sure and len(sure) * _WORDS_PER_MENTION >= len(text.split())):
        return left
    written = {text[span.start : span.end] for span in sure}
    kept = [
        span
        for span in left
        if text[span.start : span.end] in written or (sure and span.label in NAMES)
    ]
    counts[RULE] += len(left) - len(kept)
    return kept


def _counts(text: str, span: Span, least: float) -> bool:
    """Whether a span is a mention without others in its text."""
    if span.source != LEARNED_SOURCE or span.score >= least:
        return True
    return sum(map(str.isdigit, text[span.start : span.end])) >= _TELLING_DIGITS


def _is_doubted(text: str, span: Span, doubted: Container[Label]) -> bool:
    """Whether a span's label is doubted; of days, those written in numbers are."""
    return span.label in doubted and (
        span.label is not Label.DATE or any(map(str.isdigit, text[span.start : span.end]))
    )
