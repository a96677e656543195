"""Suppresses and counts log lines that repeat within a short time."""

from __future__ import annotations

import time


class Repeats:
    """Counts repeated lines, since a client retries many times a second."""

    SECONDS = 30.0
    MOST = 1_000

    def __init__(self) -> None:
        self._seen: dict[tuple[object, ...], tuple[float, int]] = {}

    def of(self, line: tuple[object, ...]) -> int | None:
        """Return how often a line was omitted since it was last written, or None to omit it now."""
        now = time.monotonic()
        since, count = self._seen.get(line, (-self.SECONDS, 0))
        if now - since < self.SECONDS:
            self._seen[line] = since, count + 1
            return None
        if len(self._seen) >= self.MOST:
            self._seen.clear()
        self._seen[line] = now, 0
        return count
