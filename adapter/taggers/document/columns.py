"""Tables in text, whose cells tabs or other marks separate: the cells under known heads.

A table is a run of lines with one mark. Its heads are in its first line, or in the first one with
several known heads. Rows with another number of cells than the heads are passed over, because their
columns are unknown; of a row of fixed width, a cell below one head alone is read. If the first
cells are heads, most of them known, the second ones are their values. Commas, semicolons and gaps,
which prose has too, separate cells only if most heads are known; hyphens and colons only under two
known heads. A cell may be in quotes, with the mark in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from adapter.taggers.document.heads import FEWEST, HEAD, WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.taggers.document.heads import Head, Heads
    from adapter.taggers.document.meanings import Meaning

    Row = Sequence[tuple[int, str]]
    """Start and text of each cell of a line."""

_GAP = "  "
"""At least two blanks, of tables in columns of fixed width."""
_MARKS = ("\t", "|", ";", ",", _GAP, " - ", ": ")
_PROSE = frozenset({";", ",", _GAP})
"""Marks that separate cells only if most heads are known, and up to an empty line."""
_COMMON = frozenset({" - ", ": "})
"""Marks that separate cells only under two known heads."""
_FEWEST = 2
"""Minimum number of lines in a table; number of heads of a table whose mark is common."""
_MOST = 3
"""Known heads that are enough for any table, whatever its other heads are."""
_HIGHEST = 4
"""Lines of a table among which its heads are, unless they are between marks of prose."""
_NEAR = 3
"""Lines below heads between marks of prose of which one has as many cells."""
_REST = 2
"""Words before the known name of a head between marks of prose that make it part of a sentence."""
_LONGEST = 40
"""Maximum number of characters of a head between marks of prose."""
_SAID = re.compile(r"(?=[^\W\d_])[^\s\",;:!?]+(?:[ ]{1,2}[^\s\",;:!?]+){0,3}")
_SENTENCE = re.compile(r"(?:\S+[ ]+){2}.*\.")
"""What a head between marks of prose looks like, and what it does not: the end of a sentence."""
_EDGES = ' \t\r\u00a0"'
_BETWEEN = re.compile(r"\S+(?:[ ]\S+)*")
"""A cell between gaps."""
_CELLS = {
    mark: re.compile(rf'[ ]*"(?:[^"\n]|"")*"[ ]*(?={re.escape(mark)}|\Z)|[^{re.escape(mark)}]*')
    for mark in _MARKS
    if len(mark) == 1
}
"""A cell up to the next mark."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The extent of a cell without white space or quotes at its edges, and what its column says."""

    start: int
    end: int
    meaning: Meaning


def tabled(text: str, heads: Heads) -> Iterator[Cell]:
    """Yield the known heads in a text and the cells under them, for each separating mark."""
    for mark in _MARKS if heads and "\n" in text else ():
        if mark in text:
            yield from _cells(text, mark, heads)


def head_lines(text: str, heads: Heads) -> list[tuple[int, int, int]]:
    """Return start and end of each line of heads in a text, and the end of the table below it."""
    found = []
    for mark in _MARKS if heads and "\n" in text else ():
        for rows, at, read in _tables(text, mark, heads) if mark in text else ():
            if read:
                (start, _), (last, cell) = rows[at][0], rows[-1][-1]
                end = text.find("\n", start)
                found.append((text.rfind("\n", 0, start) + 1, end, last + len(cell)))
    return found


def _cells(text: str, mark: str, heads: Heads) -> Iterator[Cell]:
    for rows, at, read in _tables(text, mark, heads):
        if not read and len(rows) >= _MOST and mark not in _COMMON:
            yield from _turned(rows, heads)
        columns = heads.columns(read) if read else {}
        if columns:
            yield from _said_heads(rows[at], read)
        for row in rows[at + 1 :] if columns else ():
            if len(row) == len(read):
                yield from (_cell(*row[place], said) for place, said in columns.items())
            elif mark == _GAP:
                yield from _below(text, rows[at], row, columns)


def _below(text: str, top: Row, row: Row, columns: Mapping[int, Meaning]) -> Iterator[Cell]:
    """Yield the cells of a row of fixed width that stand below one head alone."""
    places = [_extent(text, cell) for cell in top]
    for start, cell in row:
        low, high = _extent(text, (start, cell))
        above = [at for at, (left, right) in enumerate(places) if left < high and low < right]
        if len(above) == 1 and above[0] in columns and columns[above[0]].label is not None:
            yield _cell(start, cell, columns[above[0]])


def _extent(text: str, cell: tuple[int, str]) -> tuple[int, int]:
    """Return the first and the last column of a cell in its line."""
    low = cell[0] - text.rfind("\n", 0, cell[0]) - 1
    return low, low + len(cell[1])


def _said_heads(row: Row, read: Sequence[Head]) -> Iterator[Cell]:
    certain = sum(bool(head.name) for head in read) >= FEWEST
    for (start, text), head in zip(row, read, strict=True):
        known = head.known and not head.rest
        if known or certain:
            yield _cell(start, text, HEAD if known else WORDS)


def _tables(
    text: str, mark: str, heads: Heads
) -> Iterator[tuple[Sequence[Row], int, Sequence[Head]]]:
    """Yield the rows of each run of lines, and the number of its line of heads and its heads."""
    for tabled, run in groupby(_rows(text, mark), key=lambda row: len(row) > 1):
        rows = list(run) if tabled else []
        if len(rows) >= _FEWEST:
            yield rows, *_headed(rows, mark, heads)


def _turned(rows: Sequence[Row], heads: Heads) -> Iterator[Cell]:
    """Yield the second cells of rows of two whose first cells are heads, most of them known."""
    pairs = [row for row in rows if len(row) == _FEWEST and _is_said(row[0])]
    read = [heads.read(row[0][1]) for row in pairs]
    named = sum(bool(head.name) and not head.rest for head in read)
    if named >= _MOST and named * 2 >= len(rows):
        for place, meaning in heads.columns(read).items():
            yield _cell(*pairs[place][1], meaning)


def _rows(text: str, mark: str) -> Iterator[Row]:
    start = 0
    for line in text.split("\n"):
        if line.strip():
            yield [(start + at, cell) for at, cell in _parted(line, mark)]
        elif mark in _PROSE:
            yield ()
        start += len(line) + 1


def _parted(line: str, mark: str) -> Iterator[tuple[int, str]]:
    """Yield start and text of the cells of a line."""
    if mark == _GAP:
        yield from ((found.start(), found[0]) for found in _BETWEEN.finditer(line))
        return
    place, cell = 0, _CELLS.get(mark)
    if cell is None or '"' not in line:
        for text in line.split(mark):
            yield place, text
            place += len(text) + len(mark)
        return
    while place <= len(line) and (found := cell.match(line, place)):
        yield place, found[0]
        place = found.end() + 1


def _headed(rows: Sequence[Row], mark: str, heads: Heads) -> tuple[int, Sequence[Head]]:
    """Return the number of the line of heads in the rows, and the heads; none if there are none."""
    if mark in _COMMON:
        return 0, _pair(rows, heads)
    prose = mark in _PROSE
    for at, row in enumerate(rows[: -1 if prose else _HIGHEST]):
        if not prose or (_goes_on(rows, at) and all(map(_is_said, row))):
            read = [heads.read(text) for _, text in row]
            named = sum(bool(head.name) for head in read)
            if named >= FEWEST and (not prose or _is_enough(row, read, heads)):
                return at, read if named >= _MOST else _unled(rows[at:], read, heads)
    return 0, () if prose else _unled(rows, [heads.read(text) for _, text in rows[0]], heads)


def _goes_on(rows: Sequence[Row], at: int) -> bool:
    """Whether one of the next lines has as many cells as a line."""
    return any(len(row) == len(rows[at]) for row in rows[at + 1 : at + 1 + _NEAR])


def _is_enough(row: Row, read: Sequence[Head], heads: Heads) -> bool:
    """Whether most heads between marks of prose are known, and more than people and diseases.

    Of the latter prose has lists; it has a blank behind each mark.
    """
    known = sum(head.known and head.rest < _REST for head in read)
    if known < _MOST and known * 2 < len(read):
        return False
    return not all(text[:1].isspace() for _, text in row[1:]) or any(map(heads.numbers, read))


def _is_said(cell: tuple[int, str]) -> bool:
    text = cell[1].strip(_EDGES)
    return len(text) <= _LONGEST and bool(_SAID.fullmatch(text)) and not _SENTENCE.fullmatch(text)


def _pair(rows: Sequence[Row], heads: Heads) -> Sequence[Head]:
    """Return the two known heads of the first line, if no other line begins with one."""
    if len(rows[0]) != _FEWEST or not all(map(_is_said, rows[0])):
        return ()
    read = [heads.read(text) for _, text in rows[0]]
    known = all(not head.rest and heads.heads_column(head) for head in read)
    return read if known and not _are_led(rows, heads) else ()


def _unled(rows: Sequence[Row], read: Sequence[Head], heads: Heads) -> Sequence[Head]:
    """Return the heads; none if the first cells of the rows are the heads instead."""
    if not all(head.known for head in read) and _are_led(rows, heads):
        return ()
    return read


def _are_led(rows: Sequence[Row], heads: Heads) -> bool:
    """Whether the first cell of a row below the first is a name, as in a table of attributes."""
    first = [heads.read(row[0][1]) for row in rows]
    said = frozenset(word for head in first for word in head.words)
    return any(
        bool(head.words) and (head.other or (not head.rest and heads.names(head, said)))
        for head in first[1:]
    )


def _cell(start: int, text: str, meaning: Meaning) -> Cell:
    first = start + len(text) - len(text.lstrip(_EDGES))
    return Cell(first, max(first, start + len(text.rstrip(_EDGES))), meaning)
