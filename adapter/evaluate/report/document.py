"""Parts of a report, independent of its format: tiles, tables and pictures in sections."""

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
    """A table; the columns in ``shares`` hold shares (0 to 1), written to three places."""

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = field(repr=False)
    shares: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Picture:
    """A PNG image and its file name."""

    title: str
    name: str
    png: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Section:
    """A heading, an explanatory text, and tables and pictures."""

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
