"""Bar charts as SVG, without external resources."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = 640
LABEL = 170
ROW = 22
BAR = 14
SPACE = 90
COLUMNS_HEIGHT = 180
FEW_LABELS = 16


def bars(rows: Sequence[tuple[str, int | None]], unit: str) -> str:
    """Return a horizontal bar chart with a bar for each row; suppressed counts are marked."""
    largest = max((n for _, n in rows if n), default=1)
    drawn = "".join(_bar(n, row, largest) for n, row in enumerate(rows))
    height = ROW * len(rows) + 4
    return _svg(height, drawn, unit)


def _bar(position: int, row: tuple[str, int | None], largest: int) -> str:
    name, count = row
    top = ROW * position + 2
    length = round((WIDTH - LABEL - SPACE) * (count or 0) / largest, 1)
    shown = "few" if count is None else f"{count:,}"
    baseline = top + BAR - 2
    return (
        f'<text class="name" x="{LABEL - 8}" y="{baseline}">{escape(name)}</text>'
        f'<rect x="{LABEL}" y="{top}" width="{length}" height="{BAR}" rx="2"/>'
        f'<text x="{LABEL + length + 6}" y="{baseline}">{shown}</text>'
    )


def columns(rows: Sequence[tuple[str, int | None]], unit: str) -> str:
    """Return a column chart in the given order, as for years; only some columns are labelled."""
    largest = max((n for _, n in rows if n), default=1)
    step = (WIDTH - 20) / max(len(rows), 1)
    every = -(-len(rows) // FEW_LABELS) or 1
    drawn = "".join(
        _column(n, row, largest, step, labelled=n % every == 0) for n, row in enumerate(rows)
    )
    return _svg(COLUMNS_HEIGHT + 40, drawn, unit)


def _column(
    position: int, row: tuple[str, int | None], largest: int, step: float, *, labelled: bool
) -> str:
    name, count = row
    height = round(COLUMNS_HEIGHT * (count or 0) / largest, 1)
    left, top = round(10 + step * position, 1), round(20 + COLUMNS_HEIGHT - height, 1)
    width = round(max(step - 3, 1), 1)
    middle = round(left + width / 2, 1)
    shown = "few" if count is None else f"{count:,}"
    label = f'<text class="year" x="{middle}" y="{COLUMNS_HEIGHT + 36}">{escape(name)}</text>'
    return (
        f'<rect x="{left}" y="{top}" width="{width}" height="{height}" rx="2">'
        f"<title>{escape(name)}: {shown}</title></rect>"
        + (f'<text class="year" x="{middle}" y="{top - 4}">{shown}</text>' if labelled else "")
        + (label if labelled else "")
    )


def _svg(height: int, drawn: str, unit: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{escape(unit)}">{drawn}</svg>'
    )
