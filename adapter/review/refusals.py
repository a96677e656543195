"""What was refused, as events that a flood does not multiply: one a minute, with its count."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

MINUTE_MS = 60_000


@dataclass(slots=True)
class Refusals:
    """Counts refusals by event and person ("": nobody known) within the minute."""

    _seen: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict, repr=False)
    _lock: Lock = field(default_factory=Lock, repr=False)

    def due(self, event: str, person: str, now: int) -> int | None:
        """How many an event is to tell of now; None where this minute has its event.

        Those behind it in its minute are told by the next. ``now`` is in ms since the epoch.
        """
        minute = now // MINUTE_MS
        with self._lock:
            last, more = self._seen.get((event, person), (-1, 0))
            if last == minute:
                self._seen[event, person] = minute, more + 1
                return None
            self._seen[event, person] = minute, 0
            return more + 1
