"""Pictures of an evaluation: the confusion matrix, the recall-precision curve."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.evaluate.report.cells import NONE, in_order
from adapter.evaluate.report.document import Picture
from adapter.types import RECALLS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from adapter.evaluate.agreement import Confusion
    from adapter.evaluate.curve import Point

_INK, _BLUE, _ORANGE, _GREEN = "#1c2430", "#1f6fb2", "#d9822b", "#3a8f5c"
_DARK = 0.55
"""Share of a row from which a cell's figures are drawn in a light colour."""


def confusion_picture(counts: Confusion) -> Picture:
    """Draw the matrix: colours are shares of the gold label's tokens, figures count tokens.

    Raises:
        RuleError: matplotlib is not installed.
    """
    rows = in_order({gold for gold, _ in counts} or {""})
    columns = in_order({predicted for _, predicted in counts} or {""})
    figure = _figure(2.6 + 0.46 * len(columns), 1.9 + 0.34 * len(rows))
    axes = figure.add_subplot()
    shares = [[_share(counts, row, column, columns) for column in columns] for row in rows]
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    axes.set_xticks(range(len(columns)), [c or NONE for c in columns], rotation=60, ha="right")
    axes.set_yticks(range(len(rows)), [r or NONE for r in rows])
    axes.tick_params(length=0, labelsize=8)
    axes.set_xlabel("predicted")
    axes.set_ylabel("gold")
    for y, row in enumerate(rows):
        for x, column in enumerate(columns):
            if number := counts.get((row, column), 0):
                ink = "white" if shares[y][x] > _DARK else _INK
                axes.text(x, y, _short(number), ha="center", va="center", fontsize=6.5, color=ink)
    _bare(axes)
    return Picture("Confusion of tokens", "confusion.png", _png(figure))


def _share(counts: Confusion, row: str, column: str, columns: Sequence[str]) -> float:
    """Return a cell's share of its row, without tokens outside all spans on both sides."""
    if not row:
        whole = sum(counts.get((row, other), 0) for other in columns if other)
        return counts.get((row, column), 0) / whole if column and whole else 0.0
    return counts.get((row, column), 0) / sum(counts.get((row, other), 0) for other in columns)


def _short(number: int) -> str:
    return str(number) if number < 10_000 else f"{number / 1000:.0f}k"  # noqa: PLR2004 - width


def curve_picture(points: Sequence[Point]) -> Picture:
    """Draw recall against precision, and both against the threshold.

    Raises:
        RuleError: matplotlib is not installed.
    """
    figure = _figure(11, 4.6)
    left, right = figure.subplots(1, 2)
    for name, colour in (("token", _BLUE), ("entity", _ORANGE)):
        scores = [getattr(point, name) for point in points]
        recalls, precisions = [s.recall for s in scores], [s.precision for s in scores]
        title = "token, type-blind" if name == "token" else "entity strict"
        left.plot(recalls, precisions, marker=".", ms=4, lw=1.6, color=colour, label=title)
    for target in RECALLS:
        left.axvline(target, color="#b8c2cc", lw=0.8, ls=":")
    left.set(xlabel="recall", ylabel="precision", title="Recall and precision")
    _over_threshold(right, points)
    for axes in (left, right):
        axes.grid(color="#e6eaee", lw=0.7)
        axes.set_axisbelow(True)
        axes.legend(frameon=False, fontsize=9, loc="lower left")
        _bare(axes)
    return Picture("Recall and precision over thresholds", "curve.png", _png(figure))


def _over_threshold(axes: Axes, points: Sequence[Point]) -> None:
    thresholds = [point.threshold for point in points]
    tokens = [point.token for point in points]
    axes.plot(thresholds, [t.recall for t in tokens], color=_BLUE, lw=1.6, label="token recall")
    axes.plot(
        thresholds, [t.precision for t in tokens], color=_GREEN, lw=1.6, label="token precision"
    )
    axes.plot(thresholds, [p.entity.f() for p in points], color=_ORANGE, lw=1.6, label="entity F1")
    axes.set(xlabel="threshold", title="Over the threshold")


def _figure(width: float, height: float) -> Figure:
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 - only pictures need it
    except ImportError:
        raise RuleError(
            "matplotlib", "pictures need it: pip install 'clinical-deid-adapter[evaluate]'"
        ) from None
    return Figure(figsize=(width, height), layout="constrained")


def _bare(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)


def _png(figure: Figure) -> bytes:
    stream = io.BytesIO()
    figure.savefig(stream, format="png", dpi=150, metadata={"Software": None})
    return stream.getvalue()
