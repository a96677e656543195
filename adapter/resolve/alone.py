"""Texts in which learned taggers find little or nothing that is sure.

A text without personal content is full of words that might be a name or a number of somebody.
Where few or none of its words are mentions, an unlikely one is less probable than among others;
a name of somebody counts all the same if the text has anything that is sure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.resolve.unite import NAMES
from adapter.types import LEARNED_SOURCE

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable

    from adapter.types import Span

RULE = "resolve.alone"


_TELLING_DIGITS = 6
"""Digits of a number that may be somebody's whatever its score."""
_WORDS_PER_MENTION = 25
"""Greatest number of words for each likely mention in a text whose unlikely ones count."""


def without_unsure(
    text: str,
    spans: Iterable[Span],
    least: float,
    counts: Counter[str],
    found: Iterable[Span] = (),
) -> list[Span]:
    """Return a text's spans without learned ones with scores below ``least``, if little is sure.

    Long numbers count whatever their scores, and so does what is written like a sure mention; where
    anything is sure, names do, too.
    ``found`` are the spans before they were united: a rule's mention counts though a learned one
    took its place.
    """
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
    if len(sure) == len(row) or (sure and len(sure) * _WORDS_PER_MENTION >= len(text.split())):
        return row
    written = {text[span.start : span.end] for span in sure}
    left = [
        span
        for span in row
        if text[span.start : span.end] in written or (sure and span.label in NAMES)
    ]
    counts[RULE] += len(row) - len(left)
    return left


def _counts(text: str, span: Span, least: float) -> bool:
    """Whether a span is a mention without others in its text."""
    if span.source != LEARNED_SOURCE or span.score >= least:
        return True
    return sum(map(str.isdigit, text[span.start : span.end])) >= _TELLING_DIGITS
