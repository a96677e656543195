"""The loop: batches are landed and committed with their lane's progress."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.errors import MartError
from adapter.mart.loading.entries import entry

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable

    from adapter.mart.loading.entries import Land
    from adapter.mart.loading.source import Batch, Source
    from adapter.mart.store.protocol import Lane, Store, Taken

PATIENCE = 60.0
"""Seconds in which a database that went away may come back."""
_PAUSE = 0.5


@dataclass(slots=True)
class Loader:
    """Loads a source into a store; ``report`` is told of every batch: records, new ones."""

    source: Source
    store: Store
    land: Land = field(repr=False)
    today: Callable[[], dt.date]
    report: Callable[[Batch, int], None] = lambda _batch, _new: None
    stopped: Callable[[], bool] = lambda: False
    """Asked after every batch."""
    patience: float = PATIENCE
    _taken: dict[Lane, Taken] = field(default_factory=dict)

    async def run(self) -> None:
        """Load until the source ends, or it is stopped.

        Raises:
            MartError: another loader has taken a lane, or the database stays away.
        """
        lanes = await self.source.lanes()
        self._taken = {t.lane: t for t in await asyncio.to_thread(self.store.take, lanes)}
        start = {lane: taken.next_offset for lane, taken in self._taken.items()}
        async for batch in self.source.batches(start):
            if batch is None:
                await asyncio.to_thread(self.store.compact)
            else:
                self.report(batch, await asyncio.to_thread(self._load, batch))
            if self.stopped():
                break
        await asyncio.to_thread(self.store.compact)

    def _load(self, batch: Batch) -> int:
        today = self.today()
        entries = [entry(record, self.land, today) for record in batch.records]
        taken, end = self._taken[batch.lane], time.monotonic() + self.patience
        while True:
            try:
                return self.store.commit(entries, taken, batch.next_offset)
            except MartError as error:
                if error.code != "no-store" or time.monotonic() > end:
                    raise
            time.sleep(_PAUSE)
            if self._settled(batch):
                return 0

    def _settled(self, batch: Batch) -> bool:
        """Whether the commit whose answer was lost had been made.

        Raises:
            MartError: "fenced", if another loader has taken the lane meanwhile.
        """
        try:
            epoch, offset = self.store.progress()[batch.lane]
        except MartError:
            return False
        if epoch != self._taken[batch.lane].epoch:
            raise MartError("fenced")
        return offset is not None and offset >= batch.next_offset
