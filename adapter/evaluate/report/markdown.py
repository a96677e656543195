"""A report as Markdown; pictures are separate files in the same folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.evaluate.report.document import Grid

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.evaluate.report.document import Picture, Report


def markdown(report: Report) -> str:
    """Return the report as Markdown text."""
    return "\n".join(_lines(report)).rstrip() + "\n"


def _lines(report: Report) -> Iterator[str]:
    yield from (f"# {report.title}", "", report.subtitle, "")
    tiles = tuple((tile.name, tile.value, tile.meaning) for tile in report.tiles)
    yield from block_lines(Grid("", ("", "", ""), tiles))
    for section in report.sections:
        yield from (f"## {section.heading}", "")
        if section.text:
            yield from (section.text, "")
        for block in section.blocks:
            yield from block_lines(block)


def block_lines(block: Grid | Picture) -> Iterator[str]:
    """Yield the lines of a table, or the link to a picture."""
    if not isinstance(block, Grid):
        yield from (f"![{block.title}]({block.name})", "")
        return
    if block.title:
        yield from (f"**{block.title}**", "")
    numbers = ("---:" for _ in block.head[1:])
    yield _row(block.head)
    yield _row((":---", *numbers))
    yield from map(_row, block.rows)
    yield ""


def _row(cells: tuple[str, ...]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
