"""The survey of a source: its lanes, and data that it lacks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class LaneRange:
    """A lane of the source: offsets from ``first`` up to but not ``end``, and number of records.

    ``partitions`` is the number of partitions of its topic, as far as the source shows.
    """

    topic: str
    partition: int
    first: int
    end: int
    records: int
    partitions: int = 1

    @property
    def name(self) -> str:
        """The lane's name: topic and partition."""
        return f"{self.topic}-{self.partition}"


@dataclass(frozen=True, slots=True)
class Survey:
    """A source's lanes, its inputs for the manifest, missing data, warnings and counts."""

    lanes: tuple[LaneRange, ...]
    inputs: tuple[dict[str, Any], ...] = field(default=(), repr=False)
    lacks: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)

    @property
    def records(self) -> int:
        """The number of records of all lanes."""
        return sum(lane.records for lane in self.lanes)
