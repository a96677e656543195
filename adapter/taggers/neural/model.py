"""A neural model: a network with its threshold and labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adapter.taggers.neural.network import Network
    from adapter.types import Label


@dataclass(frozen=True, slots=True, eq=False)
class NeuralModel:
    """A network with the settings of its card.

    A token is protected if its probability of being inside a mention exceeds ``threshold``.
    ``labels`` map the network's own labels to ours, or to None where our scheme has no such label.
    ``priority`` is the priority of its spans. ``joining`` are lower-case words that join two
    mentions.
    """

    network: Network
    threshold: float
    labels: Mapping[str, Label | None]
    priority: int
    joining: frozenset[str] = frozenset()
