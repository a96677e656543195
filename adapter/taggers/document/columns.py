"""Tables in text, whose cells tabs or other marks separate: the cells under known heads.

A table is a run of lines with one mark, its first line the heads. Rows with another number of cells
than the heads are passed over, because their columns are unknown. Hyphens and colons separate
cells only under two known heads, because they have other uses.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from adapter.taggers.document.sections import Column, Meaning, SectionRules

    Row = Sequence[tuple[int, str]]
    """Start and text of each cell of a line."""

_MARKS = ("\t", "|", " - ", ": ")
_COMMON = frozenset({" - ", ": "})
"""Marks that separate cells only under two known heads."""
_FEWEST = 2
"""Minimum number of lines in a table; number of heads of a table whose mark is common."""


@dataclass(frozen=True, slots=True)
class Cell:
    """The extent of a cell without white space at its edges, and what its column says of it."""

    start: int
    end: int
    meaning: Meaning


def cells(folded: str, rules: SectionRules) -> Iterator[Cell]:
    """Yield the cells under known heads in a folded text, in order for each separating mark."""
    for mark in _MARKS if rules.heads and "\n" in folded else ():
        if mark in folded:
            yield from _cells(folded, mark, rules)


def _cells(folded: str, mark: str, rules: SectionRules) -> Iterator[Cell]:
    for tabled, table in groupby(_rows(folded, mark), key=lambda row: len(row) > 1):
        rows = list(table) if tabled else []
        if len(rows) < _FEWEST or (mark in _COMMON and not _is_pair(rows, rules)):
            continue
        columns = _columns(rows, rules)
        for row in rows[1:] if columns else ():
            if len(row) == len(rows[0]):
                yield from (_cell(*row[at], column) for at, column in columns.items())


def _rows(folded: str, mark: str) -> Iterator[Row]:
    start = 0
    for line in folded.split("\n"):
        row = []
        place = start
        for text in line.split(mark):
            row.append((place, text))
            place += len(text) + len(mark)
        start += len(line) + 1
        if line.strip():
            yield row


def _is_pair(rows: Sequence[Row], rules: SectionRules) -> bool:
    """Whether the first line is two known heads, and no other line begins with one."""
    heads = [text.strip() for _, text in rows[0]]
    return (
        len(heads) == _FEWEST
        and all(head in rules.heads for head in heads)
        and not any(_leads(row, rules) for row in rows[1:])
    )


def _cell(start: int, text: str, column: Column) -> Cell:
    first = start + len(text) - len(text.lstrip())
    return Cell(first, max(first, start + len(text.rstrip())), column.meaning)


def _columns(rows: Sequence[Row], rules: SectionRules) -> Mapping[int, Column]:
    """Return the columns with known heads by number; none if the first cells are the heads."""
    heads = [text.strip() for _, text in rows[0]]
    if not all(map(rules.is_head, heads)) and any(_leads(row, rules) for row in rows[1:]):
        return {}
    words = frozenset(word for head in heads for word in head.split())
    found = ((at, rules.column(head)) for at, head in enumerate(heads))
    return {
        at: column for at, column in found if column is not None and column.unless.isdisjoint(words)
    }


def _leads(row: Row, rules: SectionRules) -> bool:
    """Whether the first cell of a row is a known name, as in a table of attributes."""
    first = row[0][1].strip()
    return bool(first) and rules.is_head(first)
