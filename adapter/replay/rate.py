"""Token buckets that limit how fast a replay reads."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adapter.types import Record


@dataclass(slots=True)
class Bucket:
    """A budget that grows by ``rate`` a second and may be overdrawn; 0 is no limit.

    The budget never exceeds one second's growth, so that no burst follows a pause.
    """

    rate: float
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    level: float = 0.0
    at: float | None = None

    def take(self, amount: float) -> float:
        """Take an amount; return the seconds to wait before using it."""
        if not self.rate:
            return 0.0
        now = self.clock()
        gained = self.rate if self.at is None else (now - self.at) * self.rate
        self.at = now
        self.level = min(self.rate, self.level + gained) - amount
        return max(0.0, -self.level / self.rate)


@dataclass(slots=True)
class Rate:
    """Limits of records and bytes of values per second over all lanes; 0 is no limit."""

    records: float = 0.0
    bytes: float = 0.0
    _buckets: tuple[Bucket, Bucket] = field(init=False, repr=False)
    _stopped: asyncio.Event = field(default_factory=asyncio.Event, repr=False)

    def __post_init__(self) -> None:
        """Create the two buckets."""
        self._buckets = Bucket(self.records), Bucket(self.bytes)

    async def take(self, batch: Sequence[Record]) -> None:
        """Wait until the batch may be processed, or until `stop`."""
        size = sum(len(record.value or b"") for record in batch)
        amounts = len(batch), size
        wait = max(bucket.take(n) for bucket, n in zip(self._buckets, amounts, strict=True))
        if wait and not self._stopped.is_set():
            try:
                await asyncio.wait_for(self._stopped.wait(), wait)
            except TimeoutError:
                return

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """End all waits, now and later."""
        self._stopped.set()
