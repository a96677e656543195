"""Intervals and sample sizes for proportions, and an estimate of mentions both readers missed."""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist

CONFIDENCE = 0.95
POWER = 0.75
"""Power of a planned study: the probability that it shows the recall it is planned to show."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and the limits of its confidence interval."""

    value: float
    low: float
    high: float


def quantile(probability: float) -> float:
    """Return the quantile of the standard normal distribution."""
    return NormalDist().inv_cdf(probability)


def wilson(share: float, number: float, confidence: float = CONFIDENCE) -> Interval:
    """Return Wilson's score interval (1927) of a share of ``number`` cases; (0, 1) if it is 0."""
    if number <= 0:
        return Interval(share, 0.0, 1.0)
    z = quantile((1 + confidence) / 2)
    spread = z * math.sqrt(share * (1 - share) / number + z * z / (4 * number * number))
    centre = share + z * z / (2 * number)
    scale = 1 + z * z / number
    low, high = (centre - spread) / scale, (centre + spread) / scale
    return Interval(share, max(0.0, min(low, share)), min(1.0, max(high, share)))


@dataclass(frozen=True, slots=True)
class Capture:
    """Mentions that two readers found, and Chapman's estimate of how many both missed."""

    first: int
    second: int
    both: int
    missed: float

    @property
    def found(self) -> int:
        """Return the number of mentions that at least one of them found."""
        return self.first + self.second - self.both


def capture(first: int, second: int, both: int) -> Capture:
    """Return Chapman's estimate (1951) of the mentions missed by two independent readers.

    Raises:
        ValueError: ``both`` is greater than ``first`` or ``second``.
    """
    if both > min(first, second):
        raise ValueError("both cannot have found more than one of them")
    total = (first + 1) * (second + 1) / (both + 1) - 1
    return Capture(first, second, both, max(0.0, total - (first + second - both)))


@dataclass(frozen=True, slots=True)
class Plan:
    """The numbers of mentions and messages needed to show a recall."""

    mentions: int
    messages: int


def plan(
    shown: float,
    truth: float,
    mentions_per_message: float,
    *,
    confidence: float = CONFIDENCE,
    power: float = POWER,
    design_effect: float = 1.0,
) -> Plan:
    """Return the sample size to show that the recall exceeds ``shown`` if it is in truth ``truth``.

    Uses the normal approximation of the one-sided, one-sample test of a proportion.
    ``design_effect`` is the factor by which clustering of mentions in messages increases the
    variance.

    Raises:
        ValueError: not 0 < shown < truth < 1, or ``mentions_per_message`` is not positive.
    """
    if not 0 < shown < truth < 1 or mentions_per_message <= 0:
        raise ValueError("the truth must lie between what is to be shown and 1")
    deviations = quantile(confidence) * math.sqrt(shown * (1 - shown)) + quantile(
        power
    ) * math.sqrt(truth * (1 - truth))
    mentions = math.ceil(design_effect * (deviations / (truth - shown)) ** 2)
    return Plan(mentions, math.ceil(mentions / mentions_per_message))
