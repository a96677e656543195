"""The gain of each step of a method over the step before it.

    python -m tests.evaluation.steps --method crf-hybrid --corpus meddocan [--every N]

Two tables: scores, and how likely chance makes as great a difference to the step before
(approximate randomization over documents, McNemar over tokens); then token F2 by category. Kappa
is between what is marked and what is found, by token whatever the type. ``--every`` takes every
N-th text that is learned from or held out.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from adapter.errors import RuleError
from adapter.evaluate.evaluation import compare, evaluate
from adapter.evaluate.levels import Level
from adapter.evaluate.scores import Score
from adapter.methods.protocol import Stepwise
from adapter.methods.registry import method
from adapter.train.command import command_of
from tests.evaluation.folds import tagged
from tests.evaluation.methods import CORPORA, parts_of, resources_for

if TYPE_CHECKING:
    from adapter.evaluate.annotations import Pair
    from adapter.evaluate.evaluation import Evaluation

HEAD = (
    "| step | strict P | R | F1 | token P | R | F2 | any type P | R | F2 | kappa "
    "| p (recall) | p (F1) | McNemar: lost, won | p |\n|" + "---|" * 15
)
CATEGORIES = ("NAME", "LOCATION", "PROFESSION", "DATE", "AGE", "CONTACT", "ID")


def found_by_step(name: str, corpus: str, every: int) -> dict[str, list[Pair]]:
    """Return the mentions found up to each step of a method, in all held-out texts."""
    made = method(name)
    if not isinstance(made, Stepwise):
        raise RuleError("--method", f"{name} has no steps")
    plan = CORPORA[corpus]
    resources = resources_for(plan)
    found: dict[str, list[Pair]] = {}
    for whole in parts_of(plan):
        part = replace(whole, learn=whole.learn[::every], held=whole.held[::every])
        for step, learned in made.steps(part.learn, resources):
            found.setdefault(step, []).extend(tagged(part.held, learned, resources))
            print(f"{part.name}: {step}", flush=True)
    return found


def line(step: str, pairs: list[Pair], scores: Evaluation, before: list[Pair] | None) -> str:
    """A row of the first table."""
    strict, token, blind = (
        scores.score(level) for level in (Level.STRICT, Level.TOKEN, Level.BLIND_TOKEN)
    )
    values = [strict.precision, strict.recall, strict.f()]
    values += [value for score in (token, blind) for value in _shares(score)]
    cells = [step, *(f"{value:.4f}" for value in (*values, scores.kappa_blind))]
    if before is None:
        return f"| {' | '.join([*cells, '', '', '', ''])} |"
    found = compare(before, pairs)
    test = found.protected
    cells += [f"{found.token_recall.p:.4f}", f"{found.entity_f1.p:.4f}"]
    cells += [f"{test.first_only}, {test.second_only}", f"{test.p:.4f}"]
    return f"| {' | '.join(cells)} |"


def _shares(score: Score) -> tuple[float, float, float]:
    return score.precision, score.recall, score.f(2)


def by_category(scores: Evaluation) -> list[str]:
    """Token F2 of each category; "" where there is nothing."""
    table = next(
        table for table in scores.tables if (table.level, table.labels) == (Level.TOKEN, "all")
    ).by_category
    rows = [table.get(name, Score()) for name in CATEGORIES]
    return [f"{row.f(2):.3f}" if row.tp + row.fn else "" for row in rows]


def steps(
    *,
    name: Annotated[str, typer.Option("--method", help="A method of several steps.")],
    corpus: Annotated[str, typer.Option(help="A corpus.")],
    every: Annotated[int, typer.Option(help="Take every N-th text.")] = 1,
) -> None:
    """Learn a method step by step, and print what each step is worth."""
    found = found_by_step(name, corpus, every)
    scores = {step: evaluate(pairs) for step, pairs in found.items()}
    print(HEAD)
    before: list[Pair] | None = None
    for step, pairs in found.items():
        print(line(step, pairs, scores[step], before), flush=True)
        before = pairs
    print(f"\n| token F2 | {' | '.join(CATEGORIES)} |\n|{'---|' * (len(CATEGORIES) + 1)}")
    for step, score in scores.items():
        print(f"| {step} | {' | '.join(by_category(score))} |")


if __name__ == "__main__":
    command_of(steps)()
