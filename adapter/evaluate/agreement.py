"""Agreement by token: confusion matrix, Cohen's kappa."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from adapter.evaluate.levels import agree

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.evaluate.token_labels import TokenLabels

Confusion = Counter[tuple[str, str]]
"""(label, other label) -> number of tokens; "" is the label of a token outside every span."""


def confusion(labels: Iterable[TokenLabels]) -> Confusion:
    """Count tokens by gold and predicted label."""
    counts: Confusion = Counter()
    for each in labels:
        counts.update(zip(each.gold, each.predicted, strict=True))
    return counts


def between(one: Iterable[TokenLabels], other: Iterable[TokenLabels]) -> Confusion:
    """Count tokens by the labels two systems predict."""
    counts: Confusion = Counter()
    for here, there in zip(one, other, strict=True):
        counts.update(zip(here.predicted, there.predicted, strict=True))
    return counts


def blind(counts: Confusion) -> Confusion:
    """Return the counts with all labels merged into "PHI"."""
    merged: Confusion = Counter()
    for (one, other), number in counts.items():
        merged["PHI" if one else "", "PHI" if other else ""] += number
    return merged


def kappa(counts: Confusion) -> float:
    """Return Cohen's kappa (1960), agreement beyond chance; 1 if both sides use a single label.

    A bare category (NAME) agrees with every label of that category.
    """
    tokens = counts.total()
    rows: Counter[str] = Counter()
    columns: Counter[str] = Counter()
    same = 0
    for (one, other), number in counts.items():
        agreed = agree(one, other)
        rows[other if agreed else one] += number
        columns[other] += number
        same += number * agreed
    chance = sum(number * columns[label] for label, number in rows.items())
    if not tokens or chance == tokens * tokens:
        return 1.0
    return (same * tokens - chance) / (tokens * tokens - chance)
