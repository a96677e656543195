"""Recall on a site's own data from a stratified sample of messages.

Totals are Horvitz-Thompson estimates (1952): each message is weighted by the size of its stratum
over the number read from it. The recall is their ratio. Its interval is a bootstrap by message
within strata, rescaled for small strata and for the fraction sampled (Rao and Wu 1988), on the
logit scale.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adapter.review.figures.intervals import CONFIDENCE, Interval, quantile, wilson

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

ROUNDS = 1000
LEAST = 1e-9
"""Standard deviation below which the variance counts as zero."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A message of the sample: its stratum, and its numbers of mentions and of found mentions."""

    stratum: str
    mentions: int
    found: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """The recall, the share of messages without a leak (``clean``), and the underlying counts."""

    recall: Interval
    clean: Interval
    messages: int
    mentions: int
    found: int


def estimate(
    readings: Sequence[Reading],
    sizes: Mapping[str, int],
    *,
    rounds: int = ROUNDS,
    seed: int = 0,
    confidence: float = CONFIDENCE,
) -> Estimate | None:
    """Estimate the recall over all messages of the strata; None if no mention was read.

    ``sizes`` are the numbers of messages of the strata, drawn or not.
    """
    mentions = np.array([r.mentions for r in readings], np.float64)
    found = np.array([r.found for r in readings], np.float64)
    if not mentions.sum():
        return None
    names = sorted({r.stratum for r in readings})
    parts = [np.array([i for i, r in enumerate(readings) if r.stratum == n]) for n in names]
    weights = _weights(parts, [sizes[name] for name in names], len(readings))
    recall = _share(weights, found, mentions)
    drawn = _rescaled(parts, [sizes[name] for name in names], weights, rounds, seed)
    clean = (found == mentions).astype(np.float64)
    return Estimate(
        _interval(recall, drawn, found, mentions, confidence),
        _clean(weights, clean, drawn, confidence),
        len(readings),
        int(mentions.sum()),
        int(found.sum()),
    )


def _weights(
    parts: Sequence[NDArray[np.int64]], sizes: Sequence[int], number: int
) -> NDArray[np.float64]:
    """Return sampling weights, float64 (messages,): the messages that each one represents.

    ``parts`` are the int64 indexes of each stratum's messages, ``sizes`` the sizes of the strata.
    """
    weights = np.zeros(number)
    for part, size in zip(parts, sizes, strict=True):
        weights[part] = max(size, len(part)) / len(part)
    return weights


def _share(
    weights: NDArray[np.float64], found: NDArray[np.float64], mentions: NDArray[np.float64]
) -> float:
    """Return the weighted recall; all arrays are float64 (messages,)."""
    return float(weights @ found / (weights @ mentions))


def _rescaled(
    parts: Sequence[NDArray[np.int64]],
    sizes: Sequence[int],
    weights: NDArray[np.float64],
    rounds: int,
    seed: int,
) -> NDArray[np.float64]:
    """Return bootstrap weights, float64 (rounds, messages), from weights of (messages,)."""
    source = np.random.default_rng(seed)
    drawn = np.tile(weights, (rounds, 1))
    for part, size in zip(parts, sizes, strict=True):
        number = len(part)
        if number < 2 or size <= number:  # noqa: PLR2004 - no variance
            continue
        times = source.multinomial(number - 1, np.full(number, 1 / number), rounds)
        share = math.sqrt(1 - number / size)
        factor = 1 - share + share * times * number / (number - 1)
        drawn[:, part] = weights[part] * factor
    return drawn


def _interval(
    recall: float,
    drawn: NDArray[np.float64],
    found: NDArray[np.float64],
    mentions: NDArray[np.float64],
    confidence: float,
) -> Interval:
    """Return an interval on the logit scale, with the bootstrap's deviation and Student's quantile.

    ``drawn`` is float64 (rounds, messages), ``found`` and ``mentions`` are float64 (messages,).
    Only messages with misses contribute to the variance, so they give the degrees of freedom. If
    there is no variance, the result is Wilson's interval over the messages with mentions, since the
    mentions of a message are missed together.
    """
    shares = drawn @ found / (drawn @ mentions)
    spread = float(shares.std(ddof=1))
    if recall in (0.0, 1.0) or spread < LEAST:
        return wilson(recall, float((mentions > 0).sum()), confidence)
    deviation = spread / (recall * (1 - recall))
    reach = _student(confidence, int((found < mentions).sum()) - 1) * deviation
    logit = math.log(recall / (1 - recall))
    return Interval(recall, _expit(logit - reach), _expit(logit + reach))


def _student(confidence: float, degrees: int) -> float:
    """Return Student's quantile by its normal expansion (Abramowitz and Stegun 26.7.5)."""
    z, n = quantile((1 + confidence) / 2), max(degrees, 2)
    return z + (z**3 + z) / (4 * n) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n * n)


def _expit(logit: float) -> float:
    return 1 / (1 + math.exp(-logit))


def _clean(
    weights: NDArray[np.float64],
    clean: NDArray[np.float64],
    drawn: NDArray[np.float64],
    confidence: float,
) -> Interval:
    """Return Wilson's interval of the share of clean messages, with the effective sample size.

    ``weights`` and ``clean`` (0 or 1) are float64 (messages,), ``drawn`` is (rounds, messages).
    """
    share = float(weights @ clean / weights.sum())
    shares = drawn @ clean / drawn.sum(axis=1)
    variance = float(shares.var(ddof=1))
    number = share * (1 - share) / variance if variance > 0 else float(len(clean))
    return wilson(share, number, confidence)
