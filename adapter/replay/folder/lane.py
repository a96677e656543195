"""A lane of the folder target: each transaction is an object of its journal."""

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
    """A lane of the journal, to be written to."""

    journal: JournalLane
    keeps_state: bool

    async def progress(self) -> Progress | None:
        """What the last object says."""
        await asyncio.to_thread(self.journal.open)
        return await asyncio.to_thread(self.journal.progress)

    async def state(self) -> AsyncIterator[Record]:
        """What is known of patients, as far as it is settled."""
        for record in self.journal.records(Channel.STATE):
            yield record

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[FolderTransaction]:
        """One object."""
        transaction = FolderTransaction(keeps_state=self.keeps_state)
        yield transaction
        if transaction.progress is not None:
            append = self.journal.append
            await asyncio.to_thread(append, transaction.progress, transaction.lines)

    async def close(self) -> None:
        """Nothing is held open."""


@dataclass(slots=True)
class FolderTransaction:
    """The lines of one object; what is known of patients only where it is sealed."""

    keeps_state: bool
    lines: list[bytes] = field(default_factory=list, repr=False)
    progress: Progress | None = None

    async def send(self, channel: Channel, record: Record) -> None:
        """Keep a line; there is no escrow."""
        if channel is not Channel.ESCROW and (channel is not Channel.STATE or self.keeps_state):
            self.lines.append(packed(channel, record))

    async def settle(self, progress: Progress) -> None:
        """Keep the progress."""
        self.progress = progress
