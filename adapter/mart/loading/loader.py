"""The loading loop: lands batches, and commits them with their lane's progress."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from adapter.errors import MartError
from adapter.mart.loading.entries import entry, held

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable

    from adapter.mart.loading.entries import Land
    from adapter.mart.loading.source import Batch, Source
    from adapter.mart.store.protocol import Lane, Store, Taken

Result = TypeVar("Result")
PATIENCE = 60.0
"""Seconds to wait for a database that does not answer."""
_PAUSE = 0.5


@dataclass(slots=True)
class Loader:
    """Loads a source into a store; calls ``report`` with each batch and its number of new messages.

    ``patience`` is in seconds.
    """

    source: Source
    store: Store
    land: Land = field(repr=False)
    today: Callable[[], dt.date]
    report: Callable[[Batch, int], None] = lambda _batch, _new: None
    stopped: Callable[[], bool] = lambda: False
    """Checked after every batch."""
    audit: str | None = None
    """The topic of the adapter's audit records, which list held messages, or None."""
    patience: float = PATIENCE
    _taken: dict[Lane, Taken] = field(default_factory=dict)

    async def run(self) -> None:
        """Load until the source ends, or ``stopped`` returns True.

        Raises:
            MartError: another loader has taken a lane, or the database remains unavailable.
        """
        lanes = await self.source.lanes()
        taken = await asyncio.to_thread(self._retry, partial(self.store.take, lanes))
        self._taken = {each.lane: each for each in taken or ()}
        start = {lane: taken.next_offset for lane, taken in self._taken.items()}
        async for batch in self.source.batches(start):
            if batch is None:
                await asyncio.to_thread(self._retry, self.store.compact)
            else:
                self.report(batch, await asyncio.to_thread(self._load, batch))
            if self.stopped():
                break
        await asyncio.to_thread(self._retry, self.store.compact)

    def _load(self, batch: Batch) -> int:
        """Land and commit a batch; return the number of new messages, 0 if the reply was lost."""
        done = self._retry(self._commit(batch), partial(self._committed, batch))
        return done or 0

    def _retry(
        self, call: Callable[[], Result], succeeded: Callable[[], bool] = lambda: False
    ) -> Result | None:
        """Retry while the database does not answer; None if the call ``succeeded`` without a reply.

        Raises:
            MartError: the database remains unavailable, or another loader has taken the lane.
        """
        end = time.monotonic() + self.patience
        while True:
            try:
                return call()
            except MartError as error:
                if error.code != "no-store" or time.monotonic() > end:
                    raise
            time.sleep(_PAUSE)
            if succeeded():
                return None

    def _commit(self, batch: Batch) -> Callable[[], int]:
        """Land a batch; return the function that commits it, which may be called again."""
        today, taken, upto = self.today(), self._taken[batch.lane], batch.next_offset
        if batch.lane.topic == self.audit:
            rows = [row for record in batch.records if (row := held(record, today)) is not None]
            return partial(self.store.hold, rows, taken, upto)
        entries = [entry(record, self.land, today) for record in batch.records]
        return partial(self.store.commit, entries, taken, upto)

    def _committed(self, batch: Batch) -> bool:
        """Return whether a commit whose reply was lost has taken effect.

        Raises:
            MartError: "fenced", if another loader has taken the lane since.
        """
        try:
            epoch, offset = self.store.progress()[batch.lane]
        except MartError:
            return False
        if epoch != self._taken[batch.lane].epoch:
            raise MartError("fenced")
        return offset is not None and offset >= batch.next_offset
