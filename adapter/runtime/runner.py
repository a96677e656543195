"""The loop that every transport shares: from lanes through workers to transactions.

Per lane, in order: take a batch, have the pool process it, and in one transaction send the released
messages, the held ones (sealed), the audit records, and the lane's progress. The next batch is
processed while one is being committed. A failed transaction rewinds its lane; any other failure
ends the run, so that nothing is settled after an unexpected error.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.audit import Audit, Event, log
from adapter.runtime.batches import (
    Budget,
    Generation,
    Refusals,
    Work,
    last_of_each,
    refuse_outages,
)
from adapter.runtime.lane_status import LaneStatus
from adapter.runtime.patient_store import PatientStores
from adapter.runtime.publishing import Publisher
from adapter.telemetry.metrics import Metrics
from adapter.telemetry.traces import NO_TRACES, Settled
from adapter.transports.protocol import LASTING, Pausable, RefusedError, TransportError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adapter.runtime.patient_store import PatientStore
    from adapter.runtime.provenance import Provenance
    from adapter.runtime.workers import Pool
    from adapter.sealing.escrow import Escrow
    from adapter.sealing.quarantine import Held, Sealer
    from adapter.telemetry.traces import Traces
    from adapter.transports.protocol import Lane, Transport
    from adapter.types import Position, Processed, Record

LONGEST_PAUSE = 30.0


@dataclass(slots=True)
class Runner:
    """Connects a transport, a pool of workers, the quarantine's sealer and the audit."""

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
    """Returns the format of a held record, for its clear metadata."""
    earlier: Callable[[Position], Held | None] = lambda _position: None
    """Returns how a record was held before, or None."""
    final: frozenset[str] = frozenset()  # codes of failures that end the run, not retried
    provenance: Provenance | None = None
    """Makes the provenance headers of released records."""
    remember: Callable[[], PatientStore] | None = None
    """Makes an empty patient memory; if None, every message is processed independently."""
    traces: Traces = NO_TRACES
    """Receives settled and failed batches."""
    pages: dict[str, Callable[[], object]] = field(default_factory=dict)
    """Further pages of the endpoint by path: functions that return the JSON to show."""
    running: bool = False
    """Whether the runner has started and not ended."""
    _lanes: dict[int, LaneStatus] = field(default_factory=dict)
    """By `id` of the lane, which can be closing while its successor of the same name is open."""
    _paused: dict[str, float] = field(default_factory=dict)  # lane -> since when, monotonic
    _works: set[Work] = field(default_factory=set)
    _patients: PatientStores = field(init=False)
    _publisher: Publisher = field(init=False)

    def __post_init__(self) -> None:
        """Start with empty patient memories."""
        self._patients = PatientStores(self.remember, one_feed=self.transport.one_feed)

    async def run(self, stop: asyncio.Event) -> None:
        """Run until the transport has no more lanes, or ``stop`` is set and the lanes are drained.

        Raises:
            Exception: a lane failed, other than by a transaction that can be retried.
        """
        lanes: set[asyncio.Task[None]] = set()
        stopper = asyncio.create_task(self._stop(stop, lanes))
        public = self.transport.public
        self._publisher = Publisher(public, self.sealer, self.escrow, self.format_of, self.earlier)
        try:
            await self.transport.start()
            self.running = not stop.is_set()
            async with asyncio.TaskGroup() as group:
                async for lane in self.transport.lanes():
                    task = group.create_task(self._lane(lane))
                    lanes.add(task)
                    task.add_done_callback(lanes.discard)
        except BaseExceptionGroup as failures:
            raise failures.exceptions[0] from None
        finally:
            self.running = False
            stopper.cancel()
            await self.transport.stop()

    def lacking(self) -> tuple[str, ...]:
        """Return what is missing to be ready: some of "running", "workers", "broker", "lanes".

        "lanes" is missing while a lane retries a failed batch.
        """
        failing = any(lane.failing for lane in self._lanes.values())
        there = {
            "running": self.running,
            "workers": bool(self.pool.alive()),
            "lanes": not failing,
        }
        lacks = [name for name, has in there.items() if not has]
        return tuple(dict.fromkeys((*lacks, *self.transport.lacking())))

    def statuses(self) -> list[dict[str, Any]]:
        """Return the status of each open lane, with its lag if known."""
        lag = self.transport.lag()
        return [
            lane.as_dict() | {"lag_records": lag.get(lane.name)}
            for lane in sorted(self._lanes.values(), key=lambda lane: lane.name)
        ]

    def pause(self, name: str, *, paused: bool) -> bool:
        """Pause or resume a lane; return False if no such lane can be paused."""
        lanes = [lane for lane in self._lanes.values() if lane.name == name]
        if not lanes or not isinstance(self.transport, Pausable):
            return False
        self.transport.pause(name, paused=paused)
        since = self._paused.pop(name, time.monotonic())
        self._paused |= {name: since} if paused else {}
        for lane in lanes:
            lane.paused = paused
        log(Event.PAUSED if paused else Event.RESUMED, lane=name)
        return True

    def change(self, by: Generation, remember: Callable[[], PatientStore] | None) -> None:
        """Process further batches with another ruleset; batches in progress keep theirs."""
        by.pool.restarts += self.pool.restarts
        self.pool, self.audit, self.provenance = by.pool, by.audit, by.provenance
        self._patients.change(remember)

    def works_by(self, pool: Pool) -> bool:
        """Return whether any batch of these workers is not settled yet."""
        return any(work.by.pool is pool for work in self._works)

    async def _stop(self, stop: asyncio.Event, lanes: set[asyncio.Task[None]]) -> None:
        """When stopped, drain; then cancel lanes that do not finish in time, without committing."""
        await stop.wait()
        log(Event.DRAINING, lanes=len(lanes))
        self.running = False
        self.transport.drain()
        await asyncio.sleep(self.drain_seconds)
        for task in lanes:
            task.cancel()

    # ---- one lane ----

    async def _lane(self, lane: Lane) -> None:
        log(Event.LANE_OPENED, "debug", lane=lane.name)
        self.metrics.lanes.inc()
        status = self._lanes[id(lane)] = LaneStatus(lane.name, paused=lane.name in self._paused)
        refusals, attempt, alive = Refusals(), 0, True
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
                    status.failed(error)
                    self._failed(lane, error, attempt)
                    if error.code in self.final:
                        raise
        finally:
            self.metrics.lanes.dec()
            del self._lanes[id(lane)]
            self._patients.close(lane.name)
            await lane.close()
            log(Event.LANE_CLOSED if alive else Event.LANE_LOST, "debug", lane=lane.name)

    def _failed(self, lane: Lane, error: TransportError, attempt: int) -> None:
        self.metrics.failures.labels(error.code).inc()
        self.traces.failed(lane.name, error.code, attempt)
        level = "error" if error.code in LASTING else "warning"
        log(Event.LANE_FAILED, level, lane=lane.name, attempt=attempt, **error.fields)

    async def _rewound(self, lane: Lane, attempt: int) -> bool:
        """Return to the last commit, after a pause that doubles with every failure in a row."""
        await asyncio.sleep(min(LONGEST_PAUSE, self.retry_seconds * 2 ** min(attempt - 1, 10)))
        alive = await lane.rewind()
        log(Event.REWOUND, lane=lane.name, attempt=attempt)
        return alive

    async def _drive(self, lane: Lane, refusals: Refusals) -> None:
        """Read ahead by one batch while settling; on failure, drop everything that was read."""
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
        refusals: Refusals,
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
                        self._lanes[id(lane)].taken(part)
                        mine.add(work)
                        await works.put(work)
        except Exception as error:  # noqa: BLE001 - raised again by `_drive`
            await works.put(error)
        else:
            await works.put(None)

    def _begun(self, batch: Sequence[Record], known: PatientStore | None) -> Work:
        notes = known.begin() if known else None
        by = Generation(self.pool, self.audit, self.provenance)
        work = Work(batch, asyncio.create_task(by.pool.run(batch, notes)), by, notes)
        self._works.add(work)
        return work

    def _forget(self, work: Work, mine: set[Work]) -> None:
        mine.discard(work)
        self._works.discard(work)
        self.budget.give(work.batch)

    # ---- one batch ----

    async def _settle(self, lane: Lane, work: Work, refusals: Refusals) -> None:
        outcomes = await work.task
        if self.transport.lasting_positions:  # the batch is read again
            refuse_outages(outcomes)
        self.metrics.stages.labels("process").observe(time.monotonic() - work.since)
        ready, publish = time.monotonic(), self._publisher.publish
        try:
            async with lane.transaction() as transaction:
                settled = [
                    await publish(transaction, work.by, record, processed, refusals.times)
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
        self.metrics.stages.labels("commit").observe(time.monotonic() - ready)
        self._lanes[id(lane)].settled(work.batch, settled)
        self._count(lane, work, settled)
        done = Settled(work.batch, settled, work.since, ready, work.by.audit.ruleset_digest)
        self.traces.settled(lane.name, done, self.transport.public)

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
        """Update the gauges; called before they are read."""
        now, metrics = time.monotonic(), self.metrics
        metrics.in_flight.set(self.budget.taken_records)
        metrics.in_flight_bytes.set(self.budget.taken_bytes)
        metrics.oldest.set(max((now - work.since for work in self._works), default=0.0))
        metrics.restarts.set(self.pool.restarts)
        metrics.forget_lanes()  # a lost lane belongs to another process
        for lane in self._lanes.values():
            metrics.unsettled.labels(lane.name).set(lane.age())
            metrics.paused.labels(lane.name).set(now - self._paused.get(lane.name, now))
        metrics.ruleset.clear()
        metrics.ruleset.labels(self.audit.ruleset_digest[:16]).set(1)
        lacks = self.lacking()
        for what in ("running", "workers", "broker", "lanes"):
            metrics.lacking.labels(what).set(what in lacks)
        for name, patients in self._patients.counts().items():
            metrics.known.labels(name).set(patients)
        for name, records in self.transport.lag().items():
            metrics.lag.labels(name).set(records)
