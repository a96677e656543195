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


def without_unsure(
    spans: Iterable[Span], least: float, counts: Counter[str], found: Iterable[Span] = ()
) -> list[Span]:
    """Return a text's spans; none if all are learned with scores below ``least``.

    ``found`` are its spans before they were united: a rule's mention counts though a learned one
    took its place.
    """
    row = list(spans)
    either = (*row, *found)
    if not row or any(span.source != LEARNED_SOURCE or span.score >= least for span in either):
        return row
    counts[RULE] += len(row)
    return []
