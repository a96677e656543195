"""Draws the effect of more training notes: ``docs/learning-curve.svg``."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from adapter.evaluate.scores import Score

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SHARES = (0.12, 0.25, 0.5, 1.0)
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 720, 330, 60, 46, 200, 46
"""Size and margins of the picture, in pixels."""
LOWEST, HIGHEST, STEP = 0.84, 1.0, 0.04
"""Lower and upper end of the scale, and the step of its lines."""
STYLE = """
  text { font-family: system-ui, "Segoe UI", Helvetica, Arial, sans-serif; fill: #17303a; }
  .title { font-size: 14px; font-weight: 600; }
  .small { font-size: 11.5px; fill: #41606c; }
  .page { fill: #ffffff; }
  .grid { stroke: #e6eaee; }
  .line { fill: none; stroke-width: 2; }
"""


class Series(NamedTuple):
    """One line: its documents, its measure, and its style."""

    title: str
    files: str
    measure: Callable[[Score], float]
    colour: str
    dashes: str


SERIES = (
    Series("recall, known files", "known", lambda score: score.recall, "#00796b", "none"),
    Series("precision, known files", "known", lambda score: score.precision, "#00796b", "6 4"),
    Series("recall, new files", "new", lambda score: score.recall, "#b45309", "none"),
    Series("precision, new files", "new", lambda score: score.precision, "#b45309", "6 4"),
)


def values(
    points: Mapping[str, Mapping[str, Mapping[str, Sequence[int]]]], new: str, series: Series
) -> list[float]:
    """The values of a line, by share; ``new`` are the files that no model has seen."""
    found = []
    for share in SHARES:
        rows = points[str(share)]
        chosen = [
            row["all"] for name, row in rows.items() if (name[0] in new) is (series.files == "new")
        ]
        found.append(series.measure(sum((Score(*row) for row in chosen), Score())))
    return found


def drawn(points: Mapping[str, Mapping[str, Mapping[str, Sequence[int]]]], new: str) -> str:
    """The picture as SVG; ``points`` are counts by share and document."""
    pieces = [_scale(), *(_share(place) for place in range(len(SHARES)))]
    for place, series in enumerate(SERIES):
        pieces.append(_line(values(points, new, series), series, place))
    body = "\n  ".join(pieces)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        'aria-label="Recall and precision by share of the notes learned from">\n'
        f"  <style>{STYLE}</style>\n"
        f'  <rect class="page" width="{WIDTH}" height="{HEIGHT}"/>\n'
        f'  <text x="{LEFT}" y="24" class="title">Tokens protected, by share of the notes '
        f"learned from</text>\n  {body}\n</svg>\n"
    )


def _x(place: int) -> float:
    return LEFT + 30 + place * (WIDTH - LEFT - RIGHT - 60) / (len(SHARES) - 1)


def _y(value: float) -> float:
    return HEIGHT - BOTTOM - (value - LOWEST) / (HIGHEST - LOWEST) * (HEIGHT - TOP - BOTTOM)


def _scale() -> str:
    marks = []
    for number in range(round((HIGHEST - LOWEST) / STEP) + 1):
        value = LOWEST + number * STEP
        y = _y(value)
        marks.append(
            f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>'
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" class="small" text-anchor="end">'
            f"{value:.2f}</text>"
        )
    return "\n  ".join(marks)


def _share(place: int) -> str:
    return (
        f'<text x="{_x(place):.1f}" y="{HEIGHT - BOTTOM + 22}" class="small" '
        f'text-anchor="middle">{SHARES[place]:.0%}</text>'
    )


def _line(found: Sequence[float], series: Series, place: int) -> str:
    spots = " ".join(f"{_x(at):.1f},{_y(value):.1f}" for at, value in enumerate(found))
    y = TOP + 18 + 44 * place
    return (
        f'<polyline class="line" points="{spots}" stroke="{series.colour}" '
        f'stroke-dasharray="{series.dashes}"/>\n  '
        f'<line class="line" x1="{WIDTH - RIGHT + 14}" y1="{y}" x2="{WIDTH - RIGHT + 42}" y2="{y}" '
        f'stroke="{series.colour}" stroke-dasharray="{series.dashes}"/>'
        f'<text x="{WIDTH - RIGHT + 48}" y="{y + 4}" class="small">{series.title}</text>'
        f'<text x="{WIDTH - RIGHT + 48}" y="{y + 20}" class="small">'
        f"{found[0]:.3f} to {found[-1]:.3f}</text>"
    )
