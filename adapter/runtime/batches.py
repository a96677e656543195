"""Batches in progress, their limits over all lanes, and batches that are read again.

These are batches refused for their size, and those that meet the outage of a service that every
message needs, such as a schema registry or a vault.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.errors import OUTAGES
from adapter.transports.protocol import Cause, TransportError
from adapter.types import Hold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.audit import Audit
    from adapter.runtime.patient_store import Notes
    from adapter.runtime.provenance import Provenance
    from adapter.runtime.workers import Pool
    from adapter.types import Position, Processed, Record


@dataclass(frozen=True, slots=True)
class Generation:
    """An active ruleset: its workers, and the audit and provenance that contain its digest."""

    pool: Pool
    audit: Audit
    provenance: Provenance | None = None


@dataclass(eq=False, slots=True)
class Work:
    """A batch, the task that processes it, and the one ruleset that the whole batch uses."""

    batch: Sequence[Record] = field(repr=False)
    task: asyncio.Task[list[Processed]]
    by: Generation
    notes: Notes | None = None
    since: float = field(default_factory=time.monotonic)

    @property
    def size(self) -> int:
        """Total bytes of the values."""
        return _size(self.batch)


@dataclass(slots=True)
class Budget:
    """Limits the records and bytes in progress over all lanes; a larger batch runs alone."""

    records: int
    bytes: int
    taken_records: int = 0
    taken_bytes: int = 0
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _room: asyncio.Event = field(default_factory=asyncio.Event)

    async def take(self, batch: Sequence[Record]) -> None:
        """Wait until the batch fits, first come first served, and reserve its records and bytes."""
        async with self._turn:
            while self.taken_records and not self._fits(batch):
                self._room.clear()
                await self._room.wait()
            self.taken_records += len(batch)
            self.taken_bytes += _size(batch)

    def give(self, batch: Sequence[Record]) -> None:
        """Release what `take` reserved for the batch."""
        self.taken_records -= len(batch)
        self.taken_bytes -= _size(batch)
        self._room.set()

    def _fits(self, batch: Sequence[Record]) -> bool:
        records = self.taken_records + len(batch) <= self.records
        return records and self.taken_bytes + _size(batch) <= self.bytes


@dataclass(slots=True)
class Refusals:
    """Counts a lane's settled batches, and records which ones a commit refused for their size.

    A refused batch is processed again record by record. A record that is refused again is held
    sealed; if that is refused too, it is held without payload.
    """

    settled: int = 0
    single_until: dict[tuple[str, int], int] = field(default_factory=dict)
    """(topic, partition) -> last offset of a refused batch."""
    times: Counter[Position] = field(default_factory=Counter)

    def note(self, batch: Sequence[Record]) -> None:
        """Record that a batch was refused."""
        if len(batch) == 1:
            self.times[batch[0].position] += 1
        else:
            self.single_until |= {(p.topic, p.partition): p.offset for p in last_of_each(batch)}

    def parts(self, batch: Sequence[Record]) -> Sequence[Sequence[Record]]:
        """Return a batch whole, or its records one by one if one of them was in a refused batch."""
        if any(map(self._was_refused, batch)):
            return [(record,) for record in batch]
        return (batch,)

    def _was_refused(self, record: Record) -> bool:
        at = record.position
        return at.offset <= self.single_until.get((at.topic, at.partition), -1)


def last_of_each(batch: Sequence[Record]) -> list[Position]:
    """Return the last position of each partition in a batch, the batch's own last one last."""
    last: dict[tuple[str, int], Position] = {}
    for record in batch:
        at = (record.position.topic, record.position.partition)
        last.pop(at, None)
        last[at] = record.position
    return list(last.values())


def _size(batch: Sequence[Record]) -> int:
    return sum(len(record.value or b"") for record in batch)


def refuse_outages(outcomes: Sequence[Processed]) -> None:
    """Make a batch wait for a service that does not answer, instead of holding its messages.

    Raises:
        TransportError: "unreachable".
    """
    for processed in outcomes:
        hold = processed.outcome
        if isinstance(hold, Hold) and (hold.stage, hold.code) in OUTAGES:
            raise TransportError("unreachable", Cause(reason=hold.code))
