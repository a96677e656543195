"""The status of a lane: progress, counts and failures; no message text."""

from __future__ import annotations

import time
from collections import Counter, deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.types import Hold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.transports.protocol import TransportError
    from adapter.types import Processed, Record


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a batch failed that is being retried; ``time`` is monotonic, in seconds."""

    code: str
    error: str
    reason: str
    topic: str
    time: float


@dataclass(slots=True)
class LaneStatus:
    """The status of an open lane since it was opened."""

    name: str
    positions: dict[tuple[str, int], int] = field(default_factory=dict)
    """(topic, partition) -> last settled offset."""
    released: int = 0
    held: Counter[str] = field(default_factory=Counter)
    """"stage/code" -> number of held messages."""
    failing: bool = False
    """Whether the last batch failed and is being retried."""
    paused: bool = False
    last: Failure | None = None
    _taken: deque[int | None] = field(default_factory=deque)
    """Timestamp of the first record of each batch in progress, in milliseconds."""
    _stuck: int | None = None
    """Timestamp of the first record of a batch that failed, in milliseconds."""

    def taken(self, batch: Sequence[Record]) -> None:
        """Record that a batch is being processed."""
        self._taken.append(batch[0].timestamp)

    def failed(self, error: TransportError) -> None:
        """Record a failure, after which all batches in progress are abandoned."""
        cause = error.cause
        self.failing = True
        self.last = Failure(error.code, cause.error, cause.reason, cause.topic, time.monotonic())
        if self._taken and self._stuck is None:
            self._stuck = self._taken[0]
        self._taken.clear()

    def settled(self, batch: Sequence[Record], settled: Sequence[Processed]) -> None:
        """Record a settled batch and its outcomes."""
        self.failing, self._stuck = False, None
        self._taken.popleft()
        for record, processed in zip(batch, settled, strict=True):
            at = record.position
            self.positions[at.topic, at.partition] = at.offset
            if isinstance(processed.outcome, Hold):
                self.held[f"{processed.outcome.stage}/{processed.outcome.code}"] += 1
            else:
                self.released += 1

    def age(self) -> float:
        """Return the age in seconds of the oldest record taken but not settled, or 0."""
        first = self._stuck or next(iter(self._taken), None)
        return max(0.0, time.time() - first / 1000) if first else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the status as a JSON-serializable dict."""
        last = self.last
        return {
            "lane": self.name,
            "state": "paused" if self.paused else "failing" if self.failing else "working",
            "settled": [
                {"topic": topic, "partition": number, "offset": offset}
                for (topic, number), offset in sorted(self.positions.items())
            ],
            "oldest_unsettled_seconds": round(self.age(), 1),
            "released": self.released,
            "held": dict(sorted(self.held.items())),
            "last_failure": last
            and {
                "code": last.code,
                "error": last.error,
                "reason": last.reason,
                "topic": last.topic,
                "seconds_ago": round(time.monotonic() - last.time, 1),
            },
        }
