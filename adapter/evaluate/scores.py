"""Counts of right, spurious and missed items, and the measures computed from them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

Event = tuple[Literal["tp", "fp", "fn"], str]
"""(outcome, label it counts for): the gold label, or the predicted label if there is no gold."""


@dataclass(frozen=True, slots=True)
class Score:
    """True positives, false positives, false negatives; a measure with denominator 0 is 0."""

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
        """Return the F-measure, in which recall weighs ``beta`` times as much as precision."""
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
    """Return the micro score, over all labels."""
    counts = Counter(kind for kind, _ in events)
    return Score(counts["tp"], counts["fp"], counts["fn"])
