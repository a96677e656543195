"""Limits events of refused requests to one per minute, event and person, with a count."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

MINUTE_MS = 60_000


@dataclass(slots=True)
class Refusals:
    """Counts refusals by event and person ("" if unknown) within the minute."""

    _seen: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def due(self, event: str, person: str, now: int) -> int | None:
        """Return the count for an event to write now; None if this minute has its event.

        Later refusals of the minute count in the next event. ``now`` is in ms since the epoch.
        """
        minute = now // MINUTE_MS
        with self._lock:
            last, more = self._seen.get((event, person), (-1, 0))
            if last == minute:
                self._seen[event, person] = minute, more + 1
                return None
            self._seen[event, person] = minute, 0
            return more + 1
