"""Discards held messages: settles them with a reason, each with an audit record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapter.runtime.quarantine.carrying import carried
from adapter.runtime.quarantine.entries import digest
from adapter.transports.protocol import Channel
from adapter.types import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from adapter.runtime.quarantine.entries import Entry
    from adapter.transports.protocol import Lane, Transport


@dataclass(frozen=True, slots=True)
class Discard:
    """Settles some envelopes of a quarantine and carries the others over.

    ``chosen`` maps envelopes' digests to their entries; ``note`` returns an entry's audit record.
    """

    quarantine: Transport
    template: str
    chosen: Mapping[bytes, Entry]
    note: Callable[[Entry], bytes]

    async def run(self) -> int:
        """Process all current envelopes, and return the number of discarded ones.

        Raises:
            TransportError: a transaction failed. What was committed before is settled; the rest is
                unchanged.
        """
        count = 0
        await self.quarantine.start()
        try:
            async for lane in self.quarantine.lanes():
                try:
                    async for batch in lane.batches():
                        count += await self._settle(lane, batch)
                finally:
                    await lane.close()
        finally:
            await self.quarantine.stop()
        return count

    async def _settle(self, lane: Lane, batch: Sequence[Record]) -> int:
        count = 0
        async with lane.transaction() as transaction:
            for envelope in batch:
                entry = self.chosen.get(digest(envelope.value))
                moved = carried(envelope, self.template)
                if entry is None:
                    await transaction.send(Channel.HELD, moved)
                else:
                    await transaction.send(Channel.AUDIT, Record(self.note(entry), moved.position))
                    count += 1
            await transaction.advance(batch[-1].position)
        return count
