"""Lanes to worker processes to transactions: the loop every transport shares.

Per lane, in order: take a batch, let the pool work on it, and in one transaction send what is
released, what is held (sealed), the audit records, and the lane's progress. The next batch is
worked on while one is being committed. A failed transaction rewinds its lane; anything else that
fails ends the run: nothing unknown is ever settled.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from adapter.audit import Audit, Event, Metrics, log
from adapter.runtime.patient_store import PatientStores
from adapter.sealing.quarantine import Held, Sealer, without_payload
from adapter.transports.protocol import Channel, RefusedError, TransportError
from adapter.types import Hold, Position, Record, Release

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adapter.runtime.patient_store import Notes, PatientStore
    from adapter.runtime.provenance import Provenance
    from adapter.runtime.workers import Pool
    from adapter.sealing.escrow import Escrow
    from adapter.transports.protocol import Lane, Transaction, Transport
    from adapter.types import Processed

LONGEST_PAUSE = 30.0


@dataclass(eq=False, slots=True)
class Work:
    """A batch and the task that works on it."""

    batch: Sequence[Record] = field(repr=False)
    task: asyncio.Task[list[Processed]]
    notes: Notes | None = None
    since: float = field(default_factory=time.monotonic)

    @property
    def size(self) -> int:
        """Bytes of its values."""
        return _size(self.batch)


@dataclass(slots=True)
class Budget:
    """Room for records and bytes in work over all lanes; a batch too big for it goes alone."""

    records: int
    bytes: int
    taken_records: int = 0
    taken_bytes: int = 0
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _room: asyncio.Event = field(default_factory=asyncio.Event)

    async def take(self, batch: Sequence[Record]) -> None:
        """Wait, first come first served, until the batch fits."""
        async with self._turn:
            while self.taken_records and not self._fits(batch):
                self._room.clear()
                await self._room.wait()
            self.taken_records += len(batch)
            self.taken_bytes += _size(batch)

    def give(self, batch: Sequence[Record]) -> None:
        """Give the batch's room back."""
        self.taken_records -= len(batch)
        self.taken_bytes -= _size(batch)
        self._room.set()

    def _fits(self, batch: Sequence[Record]) -> bool:
        records = self.taken_records + len(batch) <= self.records
        return records and self.taken_bytes + _size(batch) <= self.bytes


@dataclass(slots=True)
class _Refusals:
    """A lane's batches settled, and records refused for their size only when it was to commit.

    A refused batch is taken again record by record; then the record is first sent sealed, at last
    without payload.
    """

    settled: int = 0
    single_until: dict[tuple[str, int], int] = field(default_factory=dict)
    """By topic and partition, the last offset of refused batches."""
    times: Counter[Position] = field(default_factory=Counter)

    def note(self, batch: Sequence[Record]) -> None:
        if len(batch) == 1:
            self.times[batch[0].position] += 1
        else:
            self.single_until |= {(p.topic, p.partition): p.offset for p in last_of_each(batch)}

    def parts(self, batch: Sequence[Record]) -> Sequence[Sequence[Record]]:
        if any(map(self._alone, batch)):
            return [(record,) for record in batch]
        return (batch,)

    def _alone(self, record: Record) -> bool:
        at = record.position
        return at.offset <= self.single_until.get((at.topic, at.partition), -1)


@dataclass(slots=True)
class Runner:
    """Joins a transport, a pool of workers, the quarantine's seal and the audit."""

    transport: Transport
    pool: Pool
    sealer: Sealer | None
    audit: Audit
    escrow: Escrow | None = None
    metrics: Metrics = field(default_factory=Metrics)
    budget: Budget = field(default_factory=lambda: Budget(4_000, 64 << 20))
    drain_seconds: float = 30.0
    retry_seconds: float = 0.2
    watch: Callable[[Record, Processed], None] = lambda _record, _processed: None
    """Called with every settled record and its outcome, after the commit."""
    format_of: Callable[[bytes], str | None] = lambda _value: None
    """Tells the format of a held record, for its clear metadata."""
    earlier: Callable[[Position], Held | None] = lambda _position: None
    """What is known of a record that was held before."""
    provenance: Provenance | None = None
    """Makes the headers that released records bear on their own account."""
    remember: Callable[[], PatientStore] | None = None
    """Makes an empty memory of patients; without it every message is taken by itself."""
    ready: bool = False
    _works: set[Work] = field(default_factory=set)
    _patients: PatientStores = field(init=False)

    def __post_init__(self) -> None:
        """Begin without knowing anybody."""
        self._patients = PatientStores(self.remember, one_feed=self.transport.one_feed)

    async def run(self, stop: asyncio.Event) -> None:
        """Until the transport has no more lanes, or ``stop`` is set and the lanes are drained.

        Raises:
            Exception: whatever made a lane fail, other than a transaction that can be repeated.
        """
        await self.transport.start()
        self.ready = True
        lanes: set[asyncio.Task[None]] = set()
        stopper = asyncio.create_task(self._stop(stop, lanes))
        try:
            async with asyncio.TaskGroup() as group:
                async for lane in self.transport.lanes():
                    task = group.create_task(self._lane(lane))
                    lanes.add(task)
                    task.add_done_callback(lanes.discard)
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None
        finally:
            self.ready = False
            stopper.cancel()
            await self.transport.stop()

    async def _stop(self, stop: asyncio.Event, lanes: set[asyncio.Task[None]]) -> None:
        """Drain when stopped; lanes that are not done in time are given up, uncommitted."""
        await stop.wait()
        log(Event.DRAINING, lanes=len(lanes))
        self.ready = False
        self.transport.drain()
        await asyncio.sleep(self.drain_seconds)
        for task in lanes:
            task.cancel()

    # ---- one lane ----

    async def _lane(self, lane: Lane) -> None:
        log(Event.LANE_OPENED, "debug", lane=lane.name)
        self.metrics.lanes.inc()
        refusals, attempt, alive = _Refusals(), 0, True
        try:
            while alive:
                before = refusals.settled
                try:
                    if attempt:
                        alive = await self._rewound(lane, attempt)
                    if alive:
                        await self._drive(lane, refusals)
                        return
                except TransportError as error:
                    attempt = 1 if refusals.settled != before else attempt + 1
                    self._failed(lane, error, attempt)
        finally:
            self.metrics.lanes.dec()
            self._patients.close(lane.name)
            await lane.close()
            log(Event.LANE_CLOSED if alive else Event.LANE_LOST, "debug", lane=lane.name)

    def _failed(self, lane: Lane, error: TransportError, attempt: int) -> None:
        self.metrics.failures.inc()
        log(Event.LANE_FAILED, "warning", lane=lane.name, code=error.code, attempt=attempt)

    async def _rewound(self, lane: Lane, attempt: int) -> bool:
        """Back to the last commit, after a pause that doubles with every failure in a row."""
        await asyncio.sleep(min(LONGEST_PAUSE, self.retry_seconds * 2 ** min(attempt - 1, 10)))
        alive = await lane.rewind()
        log(Event.REWOUND, lane=lane.name, attempt=attempt)
        return alive

    async def _drive(self, lane: Lane, refusals: _Refusals) -> None:
        """Read ahead by one batch while settling; on failure everything read is given up."""
        works: asyncio.Queue[Work | Exception | None] = asyncio.Queue(maxsize=1)
        mine: set[Work] = set()
        reader = asyncio.create_task(self._read(lane, refusals, works, mine))
        try:
            while (work := await works.get()) is not None:
                if isinstance(work, Exception):
                    raise work
                await self._settle(lane, work, refusals)
                self._forget(work, mine)
        finally:
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)
            for work in tuple(mine):
                if work.notes:
                    work.notes.abandoned = True
                work.task.cancel()
                self._forget(work, mine)

    async def _read(
        self,
        lane: Lane,
        refusals: _Refusals,
        works: asyncio.Queue[Work | Exception | None],
        mine: set[Work],
    ) -> None:
        try:
            async with self._patients.in_order():
                known: PatientStore | None = None
                async for batch in lane.batches():
                    known = known or await self._patients.store(lane)
                    for part in refusals.parts(batch):
                        await self.budget.take(part)
                        work = self._begun(part, known)
                        mine.add(work)
                        await works.put(work)
        except Exception as error:  # noqa: BLE001 - raised again by the one who settles
            await works.put(error)
        else:
            await works.put(None)

    def _begun(self, batch: Sequence[Record], known: PatientStore | None) -> Work:
        notes = known.begin() if known else None
        work = Work(batch, asyncio.create_task(self.pool.run(batch, notes)), notes)
        self._works.add(work)
        return work

    def _forget(self, work: Work, mine: set[Work]) -> None:
        mine.discard(work)
        self._works.discard(work)
        self.budget.give(work.batch)

    # ---- one batch ----

    async def _settle(self, lane: Lane, work: Work, refusals: _Refusals) -> None:
        outcomes = await work.task
        try:
            async with lane.transaction() as transaction:
                settled = [
                    await self._send(transaction, record, processed, refusals.times)
                    for record, processed in zip(work.batch, outcomes, strict=True)
                ]
                if work.notes:
                    await work.notes.send(transaction, work.batch[-1].position)
                for last in last_of_each(work.batch):
                    await transaction.advance(last)
        except RefusedError:
            refusals.note(work.batch)
            raise
        refusals.settled += 1
        self._count(lane, work, settled)

    async def _send(
        self,
        transaction: Transaction,
        record: Record,
        processed: Processed,
        refused: Counter[Position],
    ) -> Processed:
        """Send one record's outcome and audit entry; what is too large is held instead."""
        times = refused[record.position]
        if isinstance(processed.outcome, Release):
            final = await self._release(transaction, record, processed, times)
        else:
            final = processed
        if isinstance(final.outcome, Hold):
            await self._hold(transaction, record, final.outcome, times)
        message_id = self.provenance.message_id(record) if self.provenance else ""
        entry = self.audit.entry(record.position, final, message_id)
        await transaction.send(Channel.AUDIT, Record(entry, record.position))
        return final

    async def _release(
        self, transaction: Transaction, record: Record, processed: Processed, times: int
    ) -> Processed:
        release = processed.outcome
        if times or not isinstance(release, Release):
            return replace(processed, outcome=Hold("transport", "too-large"))
        headers = release.headers
        if self.provenance is not None:
            headers = self.provenance.headers(record, release)
        clean = Record(release.value, record.position, release.key, headers, record.timestamp)
        try:
            if self.escrow is not None:
                public = self.transport.public(record.position.topic)
                deposit = Record(self.escrow.seal(record, release, public), record.position)
                await transaction.send(Channel.ESCROW, deposit)
            await transaction.send(Channel.RELEASED, clean)
        except RefusedError as refused:
            return replace(processed, outcome=Hold(refused.stage, refused.code))
        return processed

    async def _hold(self, transaction: Transaction, record: Record, hold: Hold, times: int) -> None:
        held = self._held(record, hold)
        log(Event.HELD, "debug", stage=hold.stage, code=hold.code)
        if self.sealer is not None and times < 2:  # noqa: PLR2004 - refused as released and sealed
            try:
                envelope = self.sealer.seal(record, held)
                await transaction.send(Channel.HELD, Record(envelope, record.position))
            except RefusedError:
                log(Event.SEALED_WITHOUT_PAYLOAD, "warning", stage=hold.stage, code=hold.code)
            else:
                return
        await transaction.send(Channel.HELD, Record(without_payload(held), record.position))

    def _held(self, record: Record, hold: Hold) -> Held:
        earlier = self.earlier(record.position)
        return Held(
            stage=hold.stage,
            code=hold.code,
            topic=self.transport.public(record.position.topic),
            partition=record.position.partition,
            offset=record.position.offset,
            time_ms=round(self.audit.clock() * 1000),
            attempts=earlier.attempts + 1 if earlier else 1,
            ruleset=self.audit.ruleset_digest,
            format=self.format_of(record.value or b"") or "",
        )

    def _count(self, lane: Lane, work: Work, settled: Sequence[Processed]) -> None:
        seconds = time.monotonic() - work.since
        self.metrics.transactions.inc()
        self.metrics.batch.observe(len(work.batch))
        self.metrics.latency.observe(seconds)
        for record, processed in zip(work.batch, settled, strict=True):
            self.metrics.settled(record, processed)
            self.watch(record, processed)
        log(
            Event.COMMITTED,
            "debug",
            lane=lane.name,
            records=len(work.batch),
            bytes=work.size,
            milliseconds=round(seconds * 1000, 1),
        )

    def measure(self) -> None:
        """Bring the gauges up to date; called before they are read."""
        now = time.monotonic()
        self.metrics.in_flight.set(self.budget.taken_records)
        self.metrics.in_flight_bytes.set(self.budget.taken_bytes)
        self.metrics.oldest.set(max((now - work.since for work in self._works), default=0.0))
        self.metrics.restarts.set(self.pool.restarts)
        for name, patients in self._patients.counts().items():
            self.metrics.known.labels(name).set(patients)
        for name, records in self.transport.lag().items():
            self.metrics.lag.labels(name).set(records)


def last_of_each(batch: Sequence[Record]) -> list[Position]:
    """The last positions of each partition in a batch, the batch's own last one last."""
    last: dict[tuple[str, int], Position] = {}
    for record in batch:
        at = (record.position.topic, record.position.partition)
        last.pop(at, None)
        last[at] = record.position
    return list(last.values())


def _size(batch: Sequence[Record]) -> int:
    return sum(len(record.value or b"") for record in batch)
