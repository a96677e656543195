"""Texts in which learned taggers alone find something, and none of it surely.

A short text without personal content is full of words that might be a name or a number of
somebody. Where nothing else in a text is a mention, one is less probable than among others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.types import LEARNED_SOURCE

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable

    from adapter.types import Span

RULE = "resolve.alone"


_TELLING_DIGITS = 6
"""Digits of a number that may be somebody's whatever its score."""


def without_unsure(
    text: str,
    spans: Iterable[Span],
    least: float,
    counts: Counter[str],
    found: Iterable[Span] = (),
) -> list[Span]:
    """Return a text's spans; none if all are learned with scores below ``least``.

    Long numbers count whatever their scores. ``found`` are the spans before they were united: a
    rule's mention counts though a learned one took its place.
    """
    row = list(spans)
    either = (*row, *found)
    if not row or any(_counts(text, span, least) for span in either):
        return row
    counts[RULE] += len(row)
    return []


def _counts(text: str, span: Span, least: float) -> bool:
    """Whether a span is a mention without others in its text."""
    if span.source != LEARNED_SOURCE or span.score >= least:
        return True
    return sum(map(str.isdigit, text[span.start : span.end])) >= _TELLING_DIGITS
