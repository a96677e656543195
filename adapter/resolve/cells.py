"""Cells of a table are values of their own: "Rosalinde<tab>Graves" is a name and a disease.

Cells end at a tab, or where at least three blanks are in a row.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import regex

from adapter.resolve.unite import WORDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adapter.types import Span

_GAP = regex.compile(r"(?<=\S)(?:[ \u00a0]*\t|[ \u00a0]{3})[ \u00a0\t]*(?=\S)")
"""What separates two cells of a row."""
_BLANKS = " " * 3


def within_cells(text: str, spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the spans; of words that reach over several cells, one for each cell.

    A number or date is read across a gap of any width.
    """
    if "\t" not in text and _BLANKS not in text.replace("\u00a0", " "):
        yield from spans
        return
    for span in spans:
        worded = span.label.category in WORDED
        gaps = list(_GAP.finditer(text, span.start, span.end)) if worded else ()
        if not gaps:
            yield span
            continue
        starts = (span.start, *(gap.end() for gap in gaps))
        ends = (*(gap.start() for gap in gaps), span.end)
        for start, end in zip(starts, ends, strict=True):
            yield replace(span, start=start, end=end, form=None)
