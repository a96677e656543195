"""Correction of labels by the text before a span, and by lists (Lee 2017, section 2.6)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import regex

from adapter.normalize.folding import fold
from adapter.priorities import TRUSTED
from adapter.types import LEARNED_SOURCE, Label

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from adapter.languages.context import Context
    from adapter.types import Span

_FAX_LETTER = regex.compile(r"(?:^|[|/(;\n]\s?|\d\s{1,3})f[:.)]?\s?\Z")
_AREA = regex.compile(r"[0-9]{4,5}(?:-[0-9]{4})?")
_LONG = regex.compile(r"(?P<year>(?:19|20)[0-9]{2}(?!\d))|[0-9]{4,5}(?![0-9]|[ -]?\p{L})|[0-9]{6,}")
"""A number that is no age in years: a year, a number without a unit behind it, or a long one."""


def relabelled(span: Span, label: Label) -> Span:
    """Return the span with another label, and its source without the corpus's own label."""
    if label is span.label:
        return span
    source = LEARNED_SOURCE if span.learned else span.source
    return replace(span, label=label, source=source)


def correct(
    text: str, spans: Iterable[Span], states: Container[str] | None, context: Context
) -> list[Span]:
    """Return the spans with labels corrected by their context; extents do not change.

    ``states``: folded names and codes of which a STATE must be one; None switches the test off.
    """
    return [_corrected(text, span, states, context) for span in spans]


def _corrected(text: str, span: Span, states: Container[str] | None, context: Context) -> Span:
    label = span.label
    if span.priority >= TRUSTED:
        return span
    if label in (Label.PHONE, Label.FAX):
        before = fold(text[max(0, span.start - 40) : span.start])
        return relabelled(span, _line_kind(before, label, context))
    if label is Label.STATE and states is not None:
        known = fold(text[span.start : span.end]).rstrip(".") in states
        return span if known else relabelled(span, Label.CITY)
    if label in (Label.CITY, Label.AGE):
        return relabelled(span, _by_digits(text, span))
    if label is Label.HOSPITAL and context.study.search(
        fold(text[max(0, span.start - 30) : span.start])
    ):
        return relabelled(span, Label.ORGANIZATION)
    return span


def _by_digits(text: str, span: Span) -> Label:
    """Return the label of a city, or ZIP; of an age, or DATE or IDNUM for a long number."""
    if span.label is Label.CITY:
        return Label.ZIP if _AREA.fullmatch(text, span.start, span.end) else Label.CITY
    long = _LONG.match(text, span.start)
    if long is None or long.end() != span.end:
        return span.label
    return Label.DATE if long["year"] else Label.IDNUM


def _line_kind(before: str, label: Label, context: Context) -> Label:
    """Return FAX or PHONE by the nearest word before that names either, else ``label``."""
    if _FAX_LETTER.search(before):
        return Label.FAX
    word = context.line.search(before)
    if word is None or any(map(str.isdigit, before[word.end() :])):
        return label
    return Label.FAX if word["fax"] else Label.PHONE
