"""Formats of figures in a report, and the order of labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.evaluate.annotations import CATEGORY_OF
from adapter.evaluate.scores import Score
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterable

NONE = "none"
"""Cell for the label of a token outside every span."""

UNDEFINED = "–"
"""Cell for a share of zero items."""

MEASURES = ("P", "R", "F1", "F2", "F0.5", "right", "spurious", "missed")
"""Headings of the cells of `measures`."""

_SCHEME = [*map(str, Label)]
_ORDER = {
    name: min(_SCHEME.index(label) for label in _SCHEME if name in (label, CATEGORY_OF[label]))
    for name in CATEGORY_OF
}


def share(value: float) -> str:
    """Return a share (0 to 1) to three places; only a share of exactly 1 becomes "1.000"."""
    text = f"{value:.3f}"
    return "0.999" if text == "1.000" and value < 1 else text


def chance(p: float) -> str:
    """Return the cell of a p-value."""
    return "< 0.0001" if p < 0.0001 else f"{p:.4f}"  # noqa: PLR2004 - four places are written


def percent(part: int, whole: int) -> str:
    """Return the cell of a share in percent."""
    return f"{100 * part / whole:.1f} %" if whole else UNDEFINED


def measures(score: Score) -> tuple[str, ...]:
    """Return the cells of a score, in the order of `MEASURES`."""
    counts = (str(score.tp), str(score.fp), str(score.fn))
    return (precision(score), recall(score), *(f(score, beta) for beta in (1, 2, 0.5)), *counts)


def precision(score: Score) -> str:
    """Return the cell of a precision."""
    return share(score.precision) if score.tp + score.fp else UNDEFINED


def recall(score: Score) -> str:
    """Return the cell of a recall."""
    return share(score.recall) if score.tp + score.fn else UNDEFINED


def f(score: Score, beta: float = 1) -> str:
    """Return the cell of an F-measure."""
    return share(score.f(beta)) if score != Score() else UNDEFINED


def in_order(names: Iterable[str]) -> list[str]:
    """Return labels in the scheme's order, each category before its labels, "" last."""
    return sorted(names, key=_place)


def _place(name: str) -> tuple[bool, int, bool, str]:
    return (not name, _ORDER.get(name, len(_ORDER)), CATEGORY_OF.get(name) != name, name)
