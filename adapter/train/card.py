"""Write a model's folder: its files, and the card with its origin and scores."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from adapter.evaluate.levels import Level
from adapter.rules.models import CARD, WEIGHTS, WORDS
from adapter.train.own_labels import source_labels

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from adapter.evaluate.evaluation import Evaluation
    from adapter.train.crossval import OperatingPoint
    from adapter.train.examples import Example
    from adapter.train.model import TrainingRun

_HEADER = """\
# What this model is: made by `deid-adapter train`, not by hand. Digests are checked on opening.
"""


def write_model(
    folder: Path, training_run: TrainingRun, weights: bytes, table: Mapping[str, Any]
) -> None:
    """Write weights, word statistics and card; ``table`` is the result of `card`."""
    from tomli_w import dumps  # noqa: PLC0415 - only training needs it

    folder.mkdir(parents=True, exist_ok=True)
    files = {WEIGHTS: weights, WORDS: training_run.words.encode("utf-8")}
    for name, content in files.items():
        (folder / name).write_bytes(content)
    digests = {
        name: f"sha256:{hashlib.sha256(content).hexdigest()}" for name, content in files.items()
    }
    text = _HEADER + dumps({**table, "digest": digests})
    (folder / CARD).write_text(text, encoding="utf-8")


def card(
    training_run: TrainingRun,
    chosen: Sequence[OperatingPoint],
    scores: Mapping[str, Evaluation],
    command: str,
) -> dict[str, Any]:
    """Return a card without digests; ``scores`` maps a corpus to its cross-validated scores."""
    recipe = training_run.recipe
    names = [chain.name for chain in recipe.chains]
    doubted = {"doubted": sorted(recipe.doubted)} if recipe.doubted else {}
    return {
        "language": recipe.language,
        "made_by": command,
        "seed": recipe.seed,
        "held_out": {"by": str(recipe.by), "folds": recipe.folds},
        "use": {"priority": recipe.priority, "sure": recipe.sure} | doubted,
        "thresholds": {
            f"{point.target:.2f}": dict.fromkeys(names, point.threshold) for point in chosen
        },
        "reached": {
            f"{point.target:.2f}": {
                "token_recall": round(point.recall, 4),
                "token_precision": round(point.precision, 4),
            }
            for point in chosen
        },
        "features": {"groups": list(recipe.groups), "forms": recipe.forms, "adapt": recipe.adapt},
        "labels": {name: str(label or "") for name, label in sorted(training_run.labels.items())},
        "source_labels": source_labels(training_run),
        "headings": training_run.headings(training_run.examples),
        "data": _data(training_run.examples),
        "scores": {name: _scores(evaluation) for name, evaluation in scores.items()},
    }


def _data(examples: Iterable[Example]) -> list[dict[str, Any]]:
    """Return the numbers of documents and mentions by corpus; copies are counted separately."""
    rows: dict[str, dict[str, Any]] = {}
    seen: set[tuple[str, str]] = set()
    for example in examples:
        if (example.plan.path, example.text.id) in seen:
            continue
        seen.add((example.plan.path, example.text.id))
        row = rows.setdefault(
            example.plan.path,
            {
                "corpus": example.plan.path,
                "licence": example.plan.licence,
                "documents": 0,
                "made": 0,
                "mentions": 0,
            },
        )
        made = "#" in example.text.id
        row["made" if made else "documents"] += 1
        row["mentions"] += 0 if made else len(example.text.mentions)
    return list(rows.values())


def _scores(evaluation: Evaluation) -> dict[str, float]:
    strict, blind = evaluation.score(Level.STRICT), evaluation.score(Level.BLIND_TOKEN)
    return {
        "documents": evaluation.documents,
        "strict_f1": round(strict.f(), 4),
        "token_recall": round(blind.recall, 4),
        "token_precision": round(blind.precision, 4),
    }
