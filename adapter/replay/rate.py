"""A token bucket: how fast a replay reads, beside what else the source and the machine do."""

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
    """A budget that grows by ``rate`` a second; an overdraft is waited for after it is taken.

    It never exceeds one second's worth, so that no burst follows a pause.
    """

    rate: float
    clock: Callable[[], float] = field(default=time.monotonic, repr=False)
    level: float = 0.0
    at: float | None = None

    def take(self, amount: float) -> float:
        """Take, and return the seconds to wait before the next."""
        if not self.rate:
            return 0.0
        now = self.clock()
        gained = self.rate if self.at is None else (now - self.at) * self.rate
        self.at = now
        self.level = min(self.rate, self.level + gained) - amount
        return max(0.0, -self.level / self.rate)


@dataclass(slots=True)
class Rate:
    """Records and bytes of values a second over all lanes; 0 is no bound."""

    records: float = 0.0
    bytes: float = 0.0
    _buckets: tuple[Bucket, Bucket] = field(init=False, repr=False)
    _stopped: asyncio.Event = field(default_factory=asyncio.Event, repr=False)

    def __post_init__(self) -> None:
        """Start with both buckets full."""
        self._buckets = Bucket(self.records), Bucket(self.bytes)

    async def take(self, batch: Sequence[Record]) -> None:
        """Wait until the batch may be given out, or until all is to stop."""
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
        """Whether all is to stop."""
        return self._stopped.is_set()

    def stop(self) -> None:
        """End all waits."""
        self._stopped.set()
