"""Completion: a full name found in one text replaces its parts found in the other texts.

If only "Smith" of "Anna Smith" was found here and "Anna Smith" in another text, "Anna" would stay.
Unlike reconciliation this uses uncertain spans too: the part found in the same place confirms them.
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
    """Return the spans of each text, with parts of a name extended to the whole name."""
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
    """Return the strongest span of each name of several words, and indices of texts with names."""
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
    """Replace the names within the match by the match, if it overlaps only names inside it."""
    first = bisect_right(row, match.start, key=end_of)
    last = bisect_left(row, match.end, key=start_of)
    rivals = row[first:last]
    if rivals and all(
        span.label in NAMES and match.start <= span.start and span.end <= match.end
        for span in rivals
    ):
        row[first:last] = rivals if (match.start, match.end) == _extent(rivals) else [match]


def _extent(spans: Sequence[Span]) -> tuple[int, int]:
    """Return the extent of a single span; (-1, -1) for several, which leave text between them."""
    return (spans[0].start, spans[0].end) if len(spans) == 1 else (-1, -1)
