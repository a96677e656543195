"""An evaluation as JSON data, and its errors as tab-separated lines."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from adapter.evaluate.annotations import Mention
    from adapter.evaluate.evaluation import Comparison, Evaluation
    from adapter.evaluate.meddocan import Official
    from adapter.evaluate.mistakes import Mistake
    from adapter.evaluate.scores import Score

HEAD = ("document", "kind", "start", "end", "label", "found_start", "found_end", "found", "source")


def figures(
    evaluation: Evaluation, official: Official | None, comparison: Comparison | None
) -> dict[str, Any]:
    """Return all figures as JSON values."""
    found = evaluation.safety
    return {
        "documents": evaluation.documents,
        "gold": evaluation.gold,
        "predicted": evaluation.predicted,
        "tables": [
            {
                "level": str(table.level),
                "labels": table.labels,
                "micro": score_figures(table.micro),
                "by_label": _each(table.by_label),
                "by_category": _each(table.by_category),
            }
            for table in evaluation.tables
        ],
        "safety": asdict(found)
        | {
            "leak_free_share": found.leak_free_share,
            "touched_share": found.touched_share,
            "over_redaction": found.over_redaction,
        },
        "kappa": {"labels": evaluation.kappa, "blind": evaluation.kappa_blind},
        "confusion": [[*pair, number] for pair, number in sorted(evaluation.confusion.items())],
        "curve": [
            {
                "threshold": point.threshold,
                "token": score_figures(point.token),
                "entity": score_figures(point.entity),
            }
            for point in evaluation.curve
        ],
        "meddocan": official
        and {name: score_figures(getattr(official, name)) for name in ("ner", "strict", "merged")},
        "comparison": comparison and asdict(comparison),
    }


def score_figures(score: Score) -> dict[str, float]:
    """Return a score's measures and counts."""
    return {
        "precision": score.precision,
        "recall": score.recall,
        "f1": score.f(),
        "f2": score.f(2),
        "f0.5": score.f(0.5),
        "tp": score.tp,
        "fp": score.fp,
        "fn": score.fn,
    }


def _each(scores: Mapping[str, Score]) -> dict[str, dict[str, float]]:
    return {label: score_figures(score) for label, score in scores.items()}


def error_lines(evaluation: Evaluation, texts: Mapping[str, str] | None = None) -> Iterator[str]:
    """Yield tab-separated lines: document, kind, start, end and label of gold and prediction.

    With ``texts`` (id -> text) two more columns hold the text of the gold mention and of the
    prediction, with white space as blanks.
    """
    yield "\t".join((*HEAD, "text", "found_text") if texts else HEAD)
    for mistake in evaluation.mistakes:
        yield "\t".join(_cells(mistake, texts))


def _cells(mistake: Mistake, texts: Mapping[str, str] | None) -> Iterator[str]:
    yield from (mistake.document, mistake.kind)
    for mention in (mistake.gold, mistake.predicted):
        yield from ("", "", "") if mention is None else _place(mention)
    yield mistake.predicted.source_label if mistake.predicted else ""
    if texts:
        for mention in (mistake.gold, mistake.predicted):
            text = texts[mistake.document][mention.start : mention.end] if mention else ""
            yield " ".join(text.split())


def _place(mention: Mention) -> tuple[str, str, str]:
    return str(mention.start), str(mention.end), mention.type
