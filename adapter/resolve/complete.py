"""A full name of one text takes in the parts of it that were found in the others.

Where only "Smith" of "Anna Smith" was found and another text has "Anna Smith", the given name would
stay. Unlike reconciliation it goes by whatever was found: that a part was found too is the proof.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from typing import TYPE_CHECKING

from adapter.resolve.occurrences import Strings
from adapter.resolve.reconcile import WORD
from adapter.resolve.unite import NAMES, end_of, start_of, strength

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.types import Span


def complete(texts: Sequence[str], spans: Sequence[Sequence[Span]]) -> list[list[Span]]:
    """Return the spans with each part of a name, of which another text has more, as the whole."""
    rows = [list(row) for row in spans]
    whole, parts = _names(texts, rows)
    if not whole or not parts:
        return rows
    strings = Strings(sorted(whole, key=lambda name: (-len(name), name)))
    for place in parts:
        for start, end, name in strings.within(texts[place]):
            _take_in(rows[place], replace(whole[name], start=start, end=end))
    return rows


def _names(
    texts: Sequence[str], rows: Sequence[Sequence[Span]]
) -> tuple[dict[str, Span], list[int]]:
    """The strongest span of each name of several words, and which texts have names."""
    whole: dict[str, Span] = {}
    parts: list[int] = []
    for place, (text, row) in enumerate(zip(texts, rows, strict=True)):
        for span in row:
            if span.label not in NAMES:
                continue
            name = text[span.start : span.end]
            if len(WORD.findall(name)) > 1:
                whole[name] = max(whole.get(name, span), span, key=strength)
            if not parts or parts[-1] != place:
                parts.append(place)
    return whole, parts


def _take_in(row: list[Span], match: Span) -> None:
    """Put the match into the row in place of the names within it; nothing else is changed."""
    first = bisect_right(row, match.start, key=end_of)
    last = bisect_left(row, match.end, key=start_of)
    rivals = row[first:last]
    if rivals and all(
        span.label in NAMES and match.start <= span.start and span.end <= match.end
        for span in rivals
    ):
        row[first:last] = rivals if (match.start, match.end) == _extent(rivals) else [match]


def _extent(spans: Sequence[Span]) -> tuple[int, int]:
    """The extent of a single span; none of several, between which something is left."""
    return (spans[0].start, spans[0].end) if len(spans) == 1 else (-1, -1)
