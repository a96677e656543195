"""A lane of the folder target, whose transactions are objects of the journal."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.replay.folder.journal import JournalLane, packed
from adapter.transports.protocol import Channel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from adapter.replay.progress import Progress
    from adapter.types import Record


@dataclass(slots=True)
class FolderLane:
    """A lane to write to; ``keeps_state`` says whether the patient state is journalled."""

    journal: JournalLane
    keeps_state: bool

    async def progress(self) -> Progress | None:
        """Return the progress of the last transaction, or None."""
        await asyncio.to_thread(self.journal.open)
        return await asyncio.to_thread(self.journal.progress)

    async def state(self) -> AsyncIterator[Record]:
        """Yield the settled records of patient state."""
        for record in self.journal.records(Channel.STATE):
            yield record

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[FolderTransaction]:
        """Write one object on leaving the block without an exception."""
        transaction = FolderTransaction(keeps_state=self.keeps_state)
        yield transaction
        if transaction.progress is not None:
            append = self.journal.append
            await asyncio.to_thread(append, transaction.progress, transaction.lines)

    async def close(self) -> None:
        """Do nothing: no resource is held."""


@dataclass(slots=True)
class FolderTransaction:
    """The lines of one object, with patient state only if ``keeps_state``."""

    keeps_state: bool
    lines: list[bytes] = field(default_factory=list, repr=False)
    progress: Progress | None = None

    async def send(self, channel: Channel, record: Record) -> None:
        """Add a line for a record; records for the escrow are dropped."""
        if channel is not Channel.ESCROW and (channel is not Channel.STATE or self.keeps_state):
            self.lines.append(packed(channel, record))

    async def settle(self, progress: Progress) -> None:
        """Set the progress."""
        self.progress = progress
