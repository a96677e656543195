"""Charts of the report: bars with confidence intervals, as SVG styled by the page's CSS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from markupsafe import Markup, escape

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.review.reporting import OfLabel

WIDTH, ROW, LEFT, RIGHT = 640, 26, 150, 70
LEAST = 0.5
"""The share at the left end of the axis; lower values are drawn at it."""


def bars(rows: Sequence[OfLabel]) -> Markup:
    """Return a bar chart of each label's recall with its Wilson interval."""
    height = ROW * len(rows) + 30
    drawn = [_axis(height), *(_row(n, row) for n, row in enumerate(rows))]
    title = "Recall by label with 95 % intervals; the table below has the same figures"
    return Markup(  # noqa: S704 - numbers and labels, escaped below
        f'<svg viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{title}" class="bars">'
        f"{''.join(drawn)}</svg>"
    )


def _x(share: float) -> float:
    part = max(0.0, (share - LEAST) / (1 - LEAST))
    return round(LEFT + part * (WIDTH - LEFT - RIGHT), 1)


def _axis(height: int) -> str:
    lines = []
    for share in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        x = _x(share)
        lines.append(f'<line class="grid" x1="{x}" y1="0" x2="{x}" y2="{height - 22}"/>')
        lines.append(f'<text class="tick" x="{x}" y="{height - 6}">{share:.1f}</text>')
    return "".join(lines)


def _row(number: int, row: OfLabel) -> str:
    y, made = ROW * number, row.recall
    middle = y + ROW / 2
    return (
        f'<text class="name" x="{LEFT - 8}" y="{middle + 4}">{escape(row.label)}</text>'
        f'<rect class="bar" x="{LEFT}" y="{y + 6}" height="{ROW - 12}"'
        f' width="{round(_x(made.value) - LEFT, 1)}"/>'
        f'<line class="limits" x1="{_x(made.low)}" x2="{_x(made.high)}"'
        f' y1="{middle}" y2="{middle}"/>'
        f'<text class="value" x="{WIDTH - RIGHT + 8}" y="{middle + 4}">{made.value:.3f}</text>'
    )
