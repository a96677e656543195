"""A lane of the mart target: a transaction of the store for each of the replay."""

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
    """What a lane needs of the target that opened it."""

    resumes: bool

    async def take(self, lane: Lane) -> Taken:
        """Fence whoever wrote to the lane before."""

    async def commit(
        self,
        records: Sequence[Record],
        audits: Sequence[Record],
        taken: Taken,
        next_offset: int,
    ) -> None:
        """Land records, and keep them with what was held and the lane's progress."""


@dataclass(slots=True)
class MartLane:
    """A lane of the store, and its journal."""

    target: LaneOwner
    lane: Lane
    journal: MartJournal
    taken: Taken | None = None

    async def progress(self) -> Progress | None:
        """What the store has, with the counts that the journal has of it."""
        self.taken = taken = await self.target.take(self.lane)
        return await asyncio.to_thread(self.journal.recover, taken.epoch, taken.next_offset)

    async def state(self) -> AsyncIterator[Record]:
        """What is known of patients, as far as it is settled."""
        for record in self.journal.records(Channel.STATE):
            yield record

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[MartTransaction]:
        """An object of the journal, then the store's transaction, which makes it count."""
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
        """Nothing is held open."""


@dataclass(slots=True)
class MartTransaction:
    """What is landed, and the journal's lines: held messages, audit, what is known if sealed."""

    keeps_state: bool
    released: list[Record] = field(default_factory=list, repr=False)
    audits: list[Record] = field(default_factory=list, repr=False)
    lines: list[bytes] = field(default_factory=list, repr=False)
    progress: Progress | None = None

    async def send(self, channel: Channel, record: Record) -> None:
        """Keep a record; there is no escrow."""
        if channel is Channel.AUDIT:
            self.audits.append(record)
        if channel is Channel.RELEASED:
            self.released.append(record)
        elif channel is not Channel.ESCROW and (channel is not Channel.STATE or self.keeps_state):
            self.lines.append(packed(channel, record))

    async def settle(self, progress: Progress) -> None:
        """Keep the progress."""
        self.progress = progress
