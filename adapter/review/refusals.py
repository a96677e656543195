"""Rate limit of refusal events: one per minute, event and person, with the number of refusals."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

MINUTE_MS = 60_000


@dataclass(slots=True)
class Refusals:
    """Counts refusals per minute, by event and person ("" if unknown)."""

    _seen: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def due(self, event: str, person: str, now: int) -> int | None:
        """Count a refusal; return the count for an event to write now, or None.

        None means that this minute's event is written already; the refusal counts in the next
        event. ``now`` is in ms since the epoch.
        """
        minute = now // MINUTE_MS
        with self._lock:
            last, more = self._seen.get((event, person), (-1, 0))
            if last == minute:
                self._seen[event, person] = minute, more + 1
                return None
            self._seen[event, person] = minute, 0
            return more + 1
