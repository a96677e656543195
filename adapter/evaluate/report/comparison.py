"""The section of a report that compares two systems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.evaluate.report.cells import chance, f, precision, recall, share
from adapter.evaluate.report.document import Grid, Section

if TYPE_CHECKING:
    from adapter.evaluate.evaluation import Comparison, Evaluation
    from adapter.evaluate.scores import Score


def comparison_section(
    first: Evaluation, second: Evaluation, found: Comparison, names: tuple[str, str]
) -> Section:
    """Return the section: scores side by side, and tests of whether the systems differ."""
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
