"""What a report is made of: tiles, tables and pictures in sections, whatever it is written as."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Tile:
    """A key figure of the report."""

    name: str
    value: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; cells of the columns in ``shares`` are shares of 1, written to three places."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = field(repr=False)
    shares: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG, and the name of its file."""

    title: str
    name: str
    png: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, what there is to know for reading what follows, and what follows."""

    heading: str
    text: str
    blocks: tuple[Grid | Picture, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """A whole report."""

    title: str
    subtitle: str
    tiles: tuple[Tile, ...]
    sections: tuple[Section, ...]
