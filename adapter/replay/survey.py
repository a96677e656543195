"""What a source holds: its lanes, and what it lacks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class LaneRange:
    """A lane of the source: offsets from the first to before ``end``, and how many records.

    ``partitions`` is how many its topic has, as far as the source shows.
    """

    topic: str
    partition: int
    first: int
    end: int
    records: int
    partitions: int = 1

    @property
    def name(self) -> str:
        """Topic and partition."""
        return f"{self.topic}-{self.partition}"


@dataclass(frozen=True, slots=True)
class Survey:
    """What a source holds: its lanes, its parts for the manifest, what it lacks and warns of."""

    lanes: tuple[LaneRange, ...]
    inputs: tuple[dict[str, Any], ...] = field(default=(), repr=False)
    lacks: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def records(self) -> int:
        """Records of all lanes."""
        return sum(lane.records for lane in self.lanes)
