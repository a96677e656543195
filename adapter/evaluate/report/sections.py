"""The sections of a report on an evaluation."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from adapter.evaluate.curve import threshold_for
from adapter.evaluate.levels import Level
from adapter.evaluate.report.cells import (
    MEASURES,
    NONE,
    UNDEFINED,
    f,
    in_order,
    measures,
    percent,
    precision,
    recall,
    share,
)
from adapter.evaluate.report.document import Grid, Picture, Section, Tile
from adapter.evaluate.scores import Score
from adapter.types import RECALLS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.evaluate.agreement import Confusion
    from adapter.evaluate.curve import Point
    from adapter.evaluate.evaluation import Evaluation
    from adapter.evaluate.meddocan import Official
    from adapter.evaluate.mistakes import Kind
    from adapter.evaluate.safety import Safety

KINDS: tuple[Kind, ...] = ("missing", "spurious", "type", "boundary")


def tiles(evaluation: Evaluation) -> tuple[Tile, ...]:
    """Return the key figures for the top of the report."""
    token, strict = (evaluation.score(level) for level in (Level.BLIND_TOKEN, Level.STRICT))
    found = evaluation.safety
    tiles = [
        Tile("token recall", recall(token), "PHI tokens protected, by any type"),
        Tile("token precision", precision(token), "protected tokens that are PHI"),
        Tile("entity F1", f(strict), "same extent, same type"),
        Tile("leak-free texts", percent(found.leak_free, found.with_phi), _leak_free(found)),
        Tile("over-redaction", f"{found.over_redaction:.1f}", "tokens lost in 1,000"),
    ]
    if found.without_phi:
        of = f"{found.touched} of {found.without_phi} are"
        tiles.append(Tile("PHI-free touched", percent(found.touched, found.without_phi), of))
    return tuple(tiles)


def _leak_free(found: Safety) -> str:
    return f"{found.leak_free} of {found.with_phi} texts with PHI"


def levels(evaluation: Evaluation) -> Section:
    """Return the micro scores at every level, over all labels and the HIPAA subset."""
    rows = tuple((t.level, t.labels, *measures(t.micro)) for t in evaluation.tables)
    return Section(
        "Scores",
        "Entity strict: same extent and type. Relaxed: the end may be off by two characters. "
        "Token: each word or number with its label. Type-blind: labels do not matter. "
        "Micro-averaged; what a source does not annotate is no error.",
        (Grid("", ("level", "labels", *MEASURES), rows, frozenset(range(2, 7))),),
    )


def labels(evaluation: Evaluation) -> Section:
    """Return the scores of every label and main category."""
    grids = [_by(evaluation, "by_category", "category"), _by(evaluation, "by_label", "label")]
    return Section(
        "Labels",
        "Precision of a label is over what was predicted as it; recall is over gold mentions of "
        "it. Protected: its gold tokens under a span of any type.",
        tuple(grid for grid in grids if grid.rows),
    )


def _by(evaluation: Evaluation, attribute: str, name: str) -> Grid:
    tables: dict[Level, Mapping[str, Score]] = {
        table.level: getattr(table, attribute)
        for table in evaluation.tables
        if table.labels == "all"
    }
    known = {label for table in tables.values() for label in table}
    rows = tuple(_label_row(label, tables) for label in in_order(known))
    head = (name, "gold", "strict P", "R", "F1", "relaxed F1", "token P", "R", "F1", "protected")
    return Grid("", head, rows, frozenset(range(2, 10)))


def _label_row(label: str, tables: Mapping[Level, Mapping[str, Score]]) -> tuple[str, ...]:
    strict, relaxed, token, blind = (
        tables[level].get(label, Score())
        for level in (Level.STRICT, Level.RELAXED, Level.TOKEN, Level.BLIND_TOKEN)
    )
    of_strict = (precision(strict), recall(strict), f(strict), f(relaxed))
    of_tokens = (precision(token), recall(token), f(token), recall(blind))
    return (label, str(strict.tp + strict.fn), *of_strict, *of_tokens)


def official_section(scores: Official) -> Section:
    """Return MEDDOCAN's official scores."""
    rows = (
        ("sub-track 1: NER offsets and type", *measures(scores.ner)),
        ("sub-track 2: sensitive spans, strict", *measures(scores.strict)),
        ("sub-track 2: sensitive spans, merged", *measures(scores.merged)),
    )
    text = "On source labels, those outside our scheme included, as the published script counts."
    return Section("MEDDOCAN", text, (Grid("", ("", *MEASURES), rows, frozenset(range(1, 6))),))


def every_measure(evaluation: Evaluation) -> Section:
    """Return all measures of every label and category, at every level."""
    grids = [
        Grid(f"{table.level}, {table.labels} labels", (name, *MEASURES), _rows(scores), _SHARES)
        for table in evaluation.tables
        for name, scores in (("category", table.by_category), ("label", table.by_label))
        if scores
    ]
    return Section("All measures", "", tuple(grids))


_SHARES = frozenset(range(1, 6))


def _rows(scores: Mapping[str, Score]) -> tuple[tuple[str, ...], ...]:
    return tuple((name, *measures(scores[name])) for name in in_order(scores))


def safety_section(found: Safety) -> Section:
    """Return the counts of leaks and of over-redaction."""
    rows = (
        ("texts with PHI", str(found.with_phi), ""),
        ("of these leak-free", str(found.leak_free), percent(found.leak_free, found.with_phi)),
        ("texts without PHI", str(found.without_phi), ""),
        ("of these touched", str(found.touched), percent(found.touched, found.without_phi)),
        ("tokens", str(found.tokens), ""),
        ("redacted for nothing", str(found.spurious), f"{found.over_redaction:.2f} in 1,000"),
    )
    return Section("Leaks and losses", "", (Grid("", ("", "number", "share"), rows),))


def agreement(evaluation: Evaluation, picture: Picture | None, *, table: bool) -> Section:
    """Return kappa and, if ``table``, the confusion matrix."""
    rows = (("with labels", share(evaluation.kappa)), ("PHI or not", share(evaluation.kappa_blind)))
    blocks: list[Grid | Picture] = [Grid("", ("Cohen's kappa, by token", ""), rows)]
    if picture:
        blocks.append(picture)
    if table:
        blocks.append(_matrix(evaluation.confusion))
    return Section("Agreement with gold", "", tuple(blocks))


def _matrix(counts: Confusion) -> Grid:
    rows = in_order({gold for gold, _ in counts})
    columns = in_order({predicted for _, predicted in counts})
    cells = tuple(
        (row or NONE, *(str(counts.get((row, column), "·")) for column in columns)) for row in rows
    )
    head = ("gold \\ predicted", *(column or NONE for column in columns))
    return Grid("Confusion of tokens", head, cells)


def curve_section(evaluation: Evaluation, picture: Picture | None) -> Section:
    """Return the highest thresholds that reach target recalls."""
    rows = []
    for target in RECALLS:
        point = threshold_for(evaluation.curve, target)
        rows.append((f"{target:.2f}", *(_point(point) if point else (UNDEFINED,) * 4)))
    head = ("token recall wanted", "threshold", "token recall", "precision", "entity F1")
    text = "The highest threshold of span scores that keeps the recall; – where none does."
    grid = Grid("", head, tuple(rows), frozenset({2, 3, 4}))
    return Section("Thresholds", text, (grid, picture) if picture else (grid,))


def _point(point: Point) -> tuple[str, ...]:
    cells = (recall(point.token), precision(point.token), f(point.entity))
    return (f"{point.threshold:.4f}", *cells)


def mistakes_section(evaluation: Evaluation) -> Section:
    """Return the numbers of errors by kind and label."""
    counts: Counter[tuple[str, str]] = Counter()
    for mistake in evaluation.mistakes:
        about = mistake.gold or mistake.predicted
        counts[about.type if about else "", mistake.kind] += 1
    kinds = Counter(mistake.kind for mistake in evaluation.mistakes)
    names = in_order({label for label, _ in counts})
    rows = [(label, *(str(counts[label, kind]) for kind in KINDS)) for label in names]
    rows.append(("all", *(str(kinds[kind]) for kind in KINDS)))
    text = "By the gold label; spurious ones by the predicted. Places are in errors.tsv."
    return Section("Errors", text, (Grid("", ("label", *KINDS), tuple(rows)),))
