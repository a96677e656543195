"""Trimming: a title before a name, or an "and" or full stop behind a mention, is no part of it.

Only spans of learned models are trimmed: those of rules and phrases have the extent they were
written with. Models err here because their labels are of whole tokens, and because a stronger span
may have taken the rest of theirs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import regex

from adapter.resolve.unite import NAMES
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.languages.context import Context
    from adapter.types import Span

_POINTED = frozenset({Label.HOSPITAL, Label.ORGANIZATION, Label.STREET}) | NAMES
"""Labels whose last word is often an abbreviation: "Assoc.", "St.", "Jr."."""
_STOP = regex.compile(r"(?r)(?<=\w\w)\.")
"""A full stop at the end of an extent, behind a word of two letters or more."""
_SENTENCE = regex.compile(r"(?r)(?<=\p{N}|\p{L}{6})\.")
"""A full stop behind a number or a word that is too long for an abbreviation."""
_INNER = regex.compile(r"(?r)\.\w+\.")
"""An abbreviation with a point within it: "S.A."."""


def trim(text: str, spans: Iterable[Span], context: Context) -> list[Span]:
    """Return the spans, those of learned models without what is no part of a mention.

    A learned span of which nothing is left, a title or a full stop alone, is no mention.
    """
    trimmed = (_trimmed(text, span, context) if span.learned else span for span in spans)
    return [span for span in trimmed if span.start < span.end]


def _trimmed(text: str, span: Span, context: Context) -> Span:
    start, end = span.start, span.end
    if span.label in NAMES and (title := context.title.match(text, start, end)):
        start = title.end()
    if found := context.joint.match(text, start, end):
        end = found.start()
    end -= _stops(text, start, end, span.label)
    return span if (start, end) == (span.start, span.end) else replace(span, start=start, end=end)


def _stops(text: str, start: int, end: int, label: Label) -> int:
    """Return 1 if the extent ends with a full stop that ends a sentence, else 0."""
    stop = _SENTENCE if label in _POINTED else _STOP
    return int(bool(stop.match(text, start, end)) and not _INNER.match(text, start, end))
