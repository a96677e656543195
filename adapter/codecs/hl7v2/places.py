"""The place of a segment's text in its message, and the changes there for its edits.

A place is the offset of a leaf without escapes (most are), or one of the classes below.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.types import Edit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.codecs.hl7v2.embedded import Carrier
    from adapter.codecs.hl7v2.escapes import Escapes, Piece

Change = tuple[int, int, str]
"""Characters [start, end) of the message's text, and their replacement."""


@dataclass(frozen=True, slots=True)
class Escaped:
    """A leaf with escape sequences, characters ``[at, stop)`` of the message."""

    at: int
    stop: int
    pieces: tuple[Piece, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Rows:
    """Text over several rows: ``starts`` in the joined text, and each row's own place."""

    starts: tuple[int, ...]
    texts: tuple[str, ...] = field(repr=False)
    places: tuple[int | Escaped, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Inner:
    """A place inside an embedded document."""

    carrier: Carrier = field(repr=False)
    path: str = field(repr=False)


Place = int | Escaped | Rows | Inner


def leaf_changes(
    place: int | Escaped, text: str, edits: Sequence[Edit], source: str, escapes: Escapes
) -> list[Change]:
    """Return the changes of one leaf; its edits are in order."""
    if isinstance(place, int):
        return [
            (place + edit.start, place + edit.end, escapes.write(edit.text) if edit.text else "")
            for edit in edits
        ]
    if [(edit.start, edit.end, edit.text) for edit in edits] == [(0, len(text), None)]:
        return [(place.at, place.stop, "")]
    if not edits:
        return []
    raw = source[place.at : place.stop]
    return [(place.at, place.stop, escapes.rewrite(raw, place.pieces, text, edits))]


def row_changes(
    rows: Rows, edits: Sequence[Edit], source: str, escapes: Escapes
) -> Iterator[Change]:
    """Yield the changes of joined rows: the text that an edit covers is removed, the rows stay."""
    by_row: dict[int, list[Edit]] = {}
    for edit in edits:
        for row, part in _by_row(rows, edit):
            by_row.setdefault(row, []).append(part)
    for row, parts in by_row.items():
        yield from leaf_changes(rows.places[row], rows.texts[row], parts, source, escapes)


def _by_row(rows: Rows, edit: Edit) -> Iterator[tuple[int, Edit]]:
    """Yield the parts of an edit by row, in the row's offsets; later lines go into later rows."""
    covered = list(_covered(rows, edit))
    lines: list[str | None] = [None] * len(covered)
    if edit.text is not None:
        said = edit.text.split("\n", len(covered) - 1)
        lines = [*said, *[""] * (len(covered) - len(said))]
    for (row, low, high), line in zip(covered, lines, strict=True):
        yield row, Edit(edit.path, low, high, line)


def _covered(rows: Rows, edit: Edit) -> Iterator[tuple[int, int, int]]:
    """Yield (row, start, end) of the row where an edit begins and of later rows it covers."""
    first = bisect_right(rows.starts, edit.start) - 1
    for row in range(first, len(rows.starts)):
        start = rows.starts[row]
        if row > first and start >= edit.end:
            return
        low = max(edit.start - start, 0)
        high = min(edit.end - start, len(rows.texts[row]))
        if row == first or high > low:
            yield row, min(low, high), high
