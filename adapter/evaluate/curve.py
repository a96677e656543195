"""Recall and precision at thresholds of the spans' scores."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapter.evaluate.levels import forgiven, match
from adapter.evaluate.scores import Score

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adapter.evaluate.annotations import Pair
    from adapter.evaluate.token_labels import TokenLabels

MOST = 201
"""Greatest number of points in a curve."""


@dataclass(frozen=True, slots=True)
class Point:
    """The scores when only spans whose score reaches ``threshold`` are kept."""

    threshold: float
    token: Score
    """Type-blind, by token."""
    entity: Score
    """By mention, strict."""


def curve(pairs: Sequence[Pair], labels: Iterable[TokenLabels]) -> tuple[Point, ...]:
    """Return the points from the lowest threshold, where all spans are kept, to the highest."""
    tokens, entities = _Scores.of_tokens(labels), _Scores.of_entities(pairs)
    scores = sorted({mention.score for _, predicted in pairs for mention in predicted})
    step = max(1, -(-len(scores) // (MOST - 1)))
    chosen = sorted({*scores[::step], *scores[-1:]})
    return tuple(Point(t, tokens.at(t), entities.at(t)) for t in chosen)


def threshold_for(points: Iterable[Point], recall: float) -> Point | None:
    """Return the point of the highest threshold that reaches a token recall, or None."""
    enough = [point for point in points if point.token.recall >= recall]
    return max(enough, key=lambda point: point.threshold, default=None)


class _Scores:
    """Sorted scores of right and of wrong predictions, and the number of gold items."""

    def __init__(self, right: list[float], wrong: list[float], gold: int) -> None:
        self.right, self.wrong, self.gold = sorted(right), sorted(wrong), gold

    def at(self, threshold: float) -> Score:
        """Return the score when only predictions that reach the threshold are kept."""
        right = len(self.right) - bisect_left(self.right, threshold)
        wrong = len(self.wrong) - bisect_left(self.wrong, threshold)
        return Score(right, wrong, self.gold - right)

    @classmethod
    def of_tokens(cls, labels: Iterable[TokenLabels]) -> _Scores:
        right: list[float] = []
        wrong: list[float] = []
        gold = 0
        for each in labels:
            gold += sum(map(bool, each.gold))
            for here, found, score in zip(each.gold, each.predicted, each.scores, strict=True):
                if found:
                    (right if here else wrong).append(score)
        return cls(right, wrong, gold)

    @classmethod
    def of_entities(cls, pairs: Iterable[Pair]) -> _Scores:
        right: list[float] = []
        wrong: list[float] = []
        gold = 0
        for pair in pairs:
            document, predicted = pair
            found = set(match(document.mentions, predicted).values())
            gold += len(document.mentions)
            for number, mention in enumerate(predicted):
                if number in found:
                    right.append(mention.score)
                elif not forgiven(pair, mention):
                    wrong.append(mention.score)
        return cls(right, wrong, gold)
