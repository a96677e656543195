"""A lane of the mart target, with one transaction of the store per transaction of the replay."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from adapter.replay.folder.journal import packed
from adapter.transports.protocol import Channel, TransportError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from adapter.mart.store.protocol import Lane, Taken
    from adapter.replay.mart.journal import MartJournal
    from adapter.replay.progress import Progress
    from adapter.types import Record


class LaneOwner(Protocol):
    """The interface that a lane needs of its target."""

    resumes: bool

    async def take(self, lane: Lane) -> Taken:
        """Fence earlier writers of the lane; return its epoch and next offset."""

    async def commit(
        self,
        records: Sequence[Record],
        audits: Sequence[Record],
        taken: Taken,
        next_offset: int,
    ) -> None:
        """Land records, and commit them with the held messages and the lane's progress."""


@dataclass(slots=True)
class MartLane:
    """A lane of the store with its journal."""

    target: LaneOwner
    lane: Lane
    journal: MartJournal
    taken: Taken | None = None

    async def progress(self) -> Progress | None:
        """Return the progress of the store, with counts from the journal, or None."""
        self.taken = taken = await self.target.take(self.lane)
        return await asyncio.to_thread(self.journal.recover, taken.epoch, taken.next_offset)

    async def state(self) -> AsyncIterator[Record]:
        """Yield the settled records of patient state."""
        for record in self.journal.records(Channel.STATE):
            yield record

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[MartTransaction]:
        """Write an object of the journal, then commit the decisive transaction of the store."""
        taken = self.taken
        if taken is None:
            raise TransportError("send-failed")
        transaction = MartTransaction(keeps_state=self.target.resumes)
        yield transaction
        progress = transaction.progress
        if progress is not None:
            await asyncio.to_thread(self.journal.append, progress, transaction.lines)
            await self.target.commit(transaction.released, transaction.audits, taken, progress.next)

    async def close(self) -> None:
        """Do nothing: no resource is held."""


@dataclass(slots=True)
class MartTransaction:
    """Records to land, and lines of the journal: held, audit, and state if ``keeps_state``."""

    keeps_state: bool
    released: list[Record] = field(default_factory=list, repr=False)
    audits: list[Record] = field(default_factory=list, repr=False)
    lines: list[bytes] = field(default_factory=list, repr=False)
    progress: Progress | None = None

    async def send(self, channel: Channel, record: Record) -> None:
        """Add a record; records for the escrow are dropped."""
        if channel is Channel.AUDIT:
            self.audits.append(record)
        if channel is Channel.RELEASED:
            self.released.append(record)
        elif channel is not Channel.ESCROW and (channel is not Channel.STATE or self.keeps_state):
            self.lines.append(packed(channel, record))

    async def settle(self, progress: Progress) -> None:
        """Set the progress."""
        self.progress = progress
