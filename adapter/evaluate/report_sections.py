"""The sections of a report on an evaluation."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from adapter.evaluate.annotations import CATEGORY_OF
from adapter.evaluate.curve import threshold_for
from adapter.evaluate.levels import Level
from adapter.evaluate.report import Grid, Picture, Section, Tile, chance, share
from adapter.evaluate.scores import Score
from adapter.types import Label

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from adapter.evaluate.agreement import Confusion
    from adapter.evaluate.curve import Point
    from adapter.evaluate.evaluation import Comparison, Evaluation
    from adapter.evaluate.meddocan import Official
    from adapter.evaluate.mistakes import Kind
    from adapter.evaluate.safety import Safety

NONE = "none"
"""How a token outside every span is written."""

UNDEFINED = "–"
"""A share of nothing."""

KINDS: tuple[Kind, ...] = ("missing", "spurious", "type", "boundary")
TARGETS = (0.95, 0.98, 0.99)
"""Token recall for which thresholds are told."""

_MEASURES = ("P", "R", "F1", "F2", "F0.5", "right", "spurious", "missed")
_SCHEME = [*map(str, Label)]
_ORDER = {
    name: min(_SCHEME.index(label) for label in _SCHEME if name in (label, CATEGORY_OF[label]))
    for name in CATEGORY_OF
}


def tiles(evaluation: Evaluation) -> tuple[Tile, ...]:
    """Return the figures that stand at the top."""
    token, strict = (evaluation.score(level) for level in (Level.BLIND_TOKEN, Level.STRICT))
    found = evaluation.safety
    told = [
        Tile("token recall", recall(token), "PHI tokens protected, by any type"),
        Tile("token precision", precision(token), "protected tokens that are PHI"),
        Tile("entity F1", f(strict), "same extent, same type"),
        Tile("leak-free texts", _percent(found.leak_free, found.with_phi), _leak_free(found)),
        Tile("over-redaction", f"{found.over_redaction:.1f}", "tokens lost in 1,000"),
    ]
    if found.without_phi:
        of = f"{found.touched} of {found.without_phi} are"
        told.append(Tile("PHI-free touched", _percent(found.touched, found.without_phi), of))
    return tuple(told)


def _leak_free(found: Safety) -> str:
    return f"{found.leak_free} of {found.with_phi} texts with PHI"


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else UNDEFINED


def levels(evaluation: Evaluation) -> Section:
    """Return the micro scores at every level, over all labels and the HIPAA subset."""
    rows = tuple((t.level, t.labels, *measures(t.micro)) for t in evaluation.tables)
    return Section(
        "Scores",
        "Entity strict: same extent and type. Relaxed: the end may be off by two characters. "
        "Token: each word or number with its label. Type-blind: labels do not matter. "
        "Micro-averaged; what a source does not annotate is no error.",
        (Grid("", ("level", "labels", *_MEASURES), rows, frozenset(range(2, 7))),),
    )


def measures(score: Score) -> tuple[str, ...]:
    """Return the cells of a score."""
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


def in_order(names: Iterable[str]) -> list[str]:
    """Return labels in the scheme's order, each category before its own; none at the end."""
    return sorted(names, key=_place)


def _place(name: str) -> tuple[bool, int, bool, str]:
    return (not name, _ORDER.get(name, len(_ORDER)), CATEGORY_OF.get(name) != name, name)


def official_section(scores: Official) -> Section:
    """Return MEDDOCAN's official scores."""
    rows = (
        ("sub-track 1: NER offsets and type", *measures(scores.ner)),
        ("sub-track 2: sensitive spans, strict", *measures(scores.strict)),
        ("sub-track 2: sensitive spans, merged", *measures(scores.merged)),
    )
    text = "On source labels, those outside our scheme included, as the published script counts."
    return Section("MEDDOCAN", text, (Grid("", ("", *_MEASURES), rows, frozenset(range(1, 6))),))


def safety_section(found: Safety) -> Section:
    """Return what leaks and what is lost."""
    rows = (
        ("texts with PHI", str(found.with_phi), ""),
        ("of these leak-free", str(found.leak_free), _percent(found.leak_free, found.with_phi)),
        ("texts without PHI", str(found.without_phi), ""),
        ("of these touched", str(found.touched), _percent(found.touched, found.without_phi)),
        ("tokens", str(found.tokens), ""),
        ("redacted for nothing", str(found.spurious), f"{found.over_redaction:.2f} in 1,000"),
    )
    return Section("Leaks and losses", "", (Grid("", ("", "number", "share"), rows),))


def agreement(evaluation: Evaluation, picture: Picture | None, *, table: bool) -> Section:
    """Return kappa and, where asked for, the confusion matrix."""
    rows = (("with labels", share(evaluation.kappa)), ("PHI or not", share(evaluation.kappa_blind)))
    blocks: list[Grid | Picture] = [Grid("", ("Cohen's kappa, by token", ""), rows)]
    if table:
        blocks.append(_matrix(evaluation.confusion))
    if picture:
        blocks.append(picture)
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
    """Return the thresholds that reach target recalls."""
    rows = []
    for target in TARGETS:
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
    """Return errors counted by kind and label."""
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


def comparison_section(
    first: Evaluation, second: Evaluation, found: Comparison, names: tuple[str, str]
) -> Section:
    """Return two systems side by side, and whether they differ by more than chance."""
    rows = tuple(
        (one.level, one.labels, *_both(one.micro, two.micro))
        for one, two in zip(first.tables, second.tables, strict=True)
    )
    heads = tuple(f"{name} {measure}" for measure in ("R", "P", "F1") for name in names)
    side = Grid("", ("level", "labels", *heads), rows, frozenset(range(2, 8)))
    text = (
        f"McNemar's test is on tokens; approximate randomization swaps whole documents, "
        f"{found.entity_f1.rounds} rounds. Kappa between the two, by token and label: "
        f"{share(found.kappa)}."
    )
    return Section(f"{names[0]} against {names[1]}", text, (side, _tests(found, names)))


def _both(one: Score, two: Score) -> tuple[str, ...]:
    return (recall(one), recall(two), precision(one), precision(two), f(one), f(two))


def _tests(found: Comparison, names: tuple[str, str]) -> Grid:
    rows = [
        (
            f"McNemar: tokens only it has right, {what}",
            str(test.first_only),
            str(test.second_only),
            chance(test.p),
        )
        for what, test in (
            ("PHI or not", found.protected),
            ("with label", found.labelled),
        )
    ]
    rows += [
        (f"randomization: {what}", share(test.first), share(test.second), chance(test.p))
        for what, test in (
            ("entity F1", found.entity_f1),
            ("token recall", found.token_recall),
        )
    ]
    return Grid("", ("test", *names, "p"), tuple(rows))
