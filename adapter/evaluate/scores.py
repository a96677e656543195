"""Counts of right, spurious and missed, and the measures made of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

Event = tuple[Literal["tp", "fp", "fn"], str]
"""One decision, and the label it counts for: the gold's, or the predicted where no gold is."""


@dataclass(frozen=True, slots=True)
class Score:
    """True positives, false positives and false negatives; a measure of nothing is 0."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: Score) -> Score:
        return Score(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> float:
        """The share of predictions that are right."""
        return _share(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """The share of gold mentions that were found."""
        return _share(self.tp, self.tp + self.fn)

    def f(self, beta: float = 1.0) -> float:
        """The weighted harmonic mean of both: recall weighs ``beta`` times as much."""
        weight = beta * beta
        return _share((1 + weight) * self.tp, (1 + weight) * self.tp + weight * self.fn + self.fp)


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0


def tabulate(events: Iterable[Event]) -> dict[str, Score]:
    """Return the score of each label, sorted by name."""
    counts = Counter(events)
    labels = sorted({label for _, label in counts})
    return {x: Score(counts["tp", x], counts["fp", x], counts["fn", x]) for x in labels}


def total(events: Iterable[Event]) -> Score:
    """Return the micro score: over all labels."""
    counts = Counter(kind for kind, _ in events)
    return Score(counts["tp"], counts["fp"], counts["fn"])
