"""A neural model: a network with its share of the mean and the thresholds of the means."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.taggers.neural.network import Network


@dataclass(frozen=True, slots=True, eq=False)
class NeuralModel:
    """A network, its share of the mean with the chains of the CRF, and thresholds of the means.

    The share is at least 0 and below 1. ``thresholds`` maps a target recall ("0.98") to chain ->
    probability.
    """

    network: Network = field(repr=False)
    share: float
    thresholds: Mapping[str, Mapping[str, float]]
