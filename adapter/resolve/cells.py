"""Cells of a table are values of their own: "Rosalinde<tab>Graves" is a name and a disease.

Cells end at a tab, or where at least three blanks are in a row; of numbers, two.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import regex

from adapter.priorities import TRUSTED
from adapter.resolve.unite import WORDED
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adapter.types import Span

_GAP = regex.compile(r"(?<=\S)(?:[ \u00a0]*\t|[ \u00a0]{3})[ \u00a0\t]*(?=\S)")
"""What separates two cells of a row."""
_FIGURE = regex.compile("[0-9]")
"""What is in the cell of an age, and not in a name beside it."""
_NUMBERED = frozenset(("CONTACT", "ID"))
"""Categories whose mentions are numbers, of which no cell has a part only."""
_CODES = frozenset("0+(")
"""First characters of an area's or country's code, behind which the number of a line may stand."""
_NUMBER_GAP = regex.compile(r"(?<=\S)(?:[ \u00a0]*\t[ \u00a0\t]*|[ \u00a0]{2,})(?=\S)")
"""What separates two numbers of a row."""
_DAY_GAP = regex.compile(
    r"(?<=[0-9][./-][0-9]{1,4}\.?|[0-9]{3})(?:[ \u00a0]*\t|[ \u00a0]{3})[ \u00a0\t]*(?=[0-9])"
)
"""What separates two days, written with figures, of a row."""
_BLANKS = " " * 2


def within_cells(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans; of one that reaches over several cells, one for each cell.

    A known number, and a date in words or parts, is read across a gap of any width.
    """
    if "\t" not in text and _BLANKS not in text.replace("\u00a0", " "):
        yield from spans
        return
    for span in spans:
        pattern = _gap(text, span)
        gaps = () if pattern is None else list(pattern.finditer(text, span.start, span.end))
        if not gaps:
            yield span
            continue
        starts = (span.start, *(gap.end() for gap in gaps))
        ends = (*(gap.start() for gap in gaps), span.end)
        parts = list(zip(starts, ends, strict=True))
        if span.label is Label.AGE:
            parts = [part for part in parts if _FIGURE.search(text, *part)] or parts
        for start, end in parts:
            yield replace(span, start=start, end=end, form=None)


def _gap(text: str, span: Span) -> regex.Pattern[str] | None:
    """Return what separates the cells of a mention, or None if it is never parted."""
    if span.label.category in WORDED or span.label is Label.AGE:
        return _GAP
    if span.priority >= TRUSTED:
        return None
    if span.label is Label.DATE:
        return _DAY_GAP
    if span.label.category not in _NUMBERED or text[span.start] in _CODES:
        return None
    return _NUMBER_GAP
