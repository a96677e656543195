"""Runs a shadow ruleset beside a service, on a share of the settled records, and only counts.

It never delays the lanes: a record is offered after its commit to a bounded queue, and if that is
full it is counted and dropped. Any failure here is logged and ends only the shadow.
"""

from __future__ import annotations

import asyncio
import time
import zlib
from collections import deque
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from adapter.audit import Event, log
from adapter.rollout.reload import why
from adapter.runtime.workers import Pool
from adapter.shadow.comparison import (
    EXTENTS,
    GAINED,
    HANDLINGS,
    LOST,
    TYPES,
    WRITTEN,
    Compared,
    Comparison,
)
from adapter.shadow.worker import LoadBoth, shadowed

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from adapter.config.settings import Settings
    from adapter.runtime.fork_server import Factory
    from adapter.runtime.runner import Runner
    from adapter.types import Position, Processed, Record

CHUNK = 4
"""Records passed to a worker at once; a stop waits for a chunk in progress."""
MOST_BYTES = 32 << 20
"""Maximum number of bytes of waiting records, unless a single record is larger."""
LOOK = 0.1
PAGE = "/shadow"


def sampled(position: Position, share: float) -> bool:
    """Whether a record is in the share, which depends on its position alone."""
    told = f"{position.topic}\0{position.partition}\0{position.offset}"
    return zlib.crc32(told.encode()) < share * 2**32


@dataclass(slots=True)
class Shadowing:
    """Compares the results of the active and of a shadow ruleset for records of a service."""

    runner: Runner
    settings: Settings = field(repr=False)
    factory: Callable[[Settings, str], Factory] = lambda settings, digest: cast(
        "Factory", LoadBoth(settings, shadowed(settings), digest)
    )
    comparison: Comparison = field(default_factory=Comparison)
    state: str = "starting"
    """"starting", "running", "failed" or "off"."""
    _waiting: deque[Record] = field(default_factory=deque, repr=False)
    _bytes: int = 0
    """Bytes of the waiting records."""
    _arrival: asyncio.Event = field(default_factory=asyncio.Event)
    _starting: Pool | None = None
    _changed: bool = False

    def offer(self, record: Record) -> None:
        """Queue a settled record for comparison, if it is in the share and there is room."""
        if self.state != "running" or record.value is None:
            return
        if not sampled(record.position, self.settings.shadow.share):
            return
        full = self._bytes and self._bytes + len(record.value) > MOST_BYTES
        if full or len(self._waiting) >= self.settings.shadow.queue_records:
            self.comparison.dropped += 1
            self._count("dropped")
            return
        self._waiting.append(record)
        self._bytes += len(record.value)
        self._arrival.set()

    def change(self, settings: Settings) -> None:
        """Start again beside another active ruleset; the comparison so far is discarded."""
        self.settings, self._changed = settings, True
        self._arrival.set()

    async def run(self) -> None:
        """Compare until cancelled; log a failure, and wait for a change of rules."""
        while not self.runner.running:  # noqa: ASYNC110 - polled only during the start
            await asyncio.sleep(LOOK)
        while True:
            self._changed = False
            self.comparison = Comparison()
            self._waiting.clear()
            self._bytes = 0
            try:
                await (self._compared() if self.settings.shadow.share else self._off())
            except Exception as error:  # noqa: BLE001 - a failure ends only the shadow
                self.state = "failed"
                log(Event.SHADOW_FAILED, "error", error=error, **why(error))
                await self._until_changed()

    async def _off(self) -> None:
        self.state = "off"
        await self._until_changed()

    async def _until_changed(self) -> None:
        while not self._changed:
            self._arrival.clear()
            await self._arrival.wait()

    async def _compared(self) -> None:
        shadow, seconds = self.settings.shadow, 2 * self.settings.workers.timeout_ms / 1000
        factory = self.factory(self.settings, self.runner.audit.ruleset_digest)
        pool = self._starting = Pool(factory, shadow.processes, seconds)
        self.state = "starting"
        try:
            await pool.__aenter__()
        finally:
            self._starting = None
        self.state = "running"
        log(Event.SHADOW_STARTED, workers=pool.alive())
        try:
            await self._work(pool)
        finally:
            await pool.__aexit__()

    async def _work(self, pool: Pool) -> None:
        due = time.monotonic() + self.settings.shadow.interval_seconds
        while not self._changed:
            if not self._waiting:
                self._arrival.clear()
                await _within(self._arrival, due - time.monotonic())
            size = min(CHUNK * self.settings.shadow.processes, len(self._waiting))
            chunk = [self._waiting.popleft() for _ in range(size)]
            self._bytes -= sum(len(record.value or b"") for record in chunk)
            for processed in await pool.run(chunk) if chunk else ():
                self._add(processed)
            if time.monotonic() >= due:
                due = time.monotonic() + self.settings.shadow.interval_seconds
                self._log()

    def _add(self, processed: Processed) -> None:
        """Count the result of one record, or a failure if its worker died or took too long."""
        found = cast("object", processed.outcome)
        if not isinstance(found, Compared):
            self.comparison.failed += 1
            self._count("failed")
            return
        self.comparison.add(found)
        self._count("different" if found.changes else "same")
        metrics = self.runner.metrics
        for change, number in found.changes:
            metrics.shadowed(change, number)
        metrics.shadow_seconds.labels("current").inc(found.current)
        metrics.shadow_seconds.labels("shadow").inc(found.shadow)

    def _count(self, result: str) -> None:
        self.runner.metrics.shadow_records.labels(result).inc()

    def _log(self) -> None:
        found = self.comparison
        log(
            Event.SHADOW_COMPARED,
            records=found.records,
            different=found.different,
            dropped=found.dropped,
            failed=found.failed,
            gained=found.total(GAINED),
            lost=found.total(LOST),
            types=found.total(TYPES),
            extents=found.total(EXTENTS),
            written=found.total(WRITTEN),
            handlings=found.total(HANDLINGS),
        )

    def page(self) -> dict[str, object]:
        """Return the JSON object of the endpoint."""
        ruleset = self.runner.audit.ruleset_digest
        told = {"state": self.state, "ruleset": ruleset, "share": self.settings.shadow.share}
        return told | self.comparison.as_dict()

    async def end(self, running: asyncio.Task[None]) -> None:
        """Stop comparing, and wait for a chunk in progress."""
        while self._starting is not None:
            self._starting.abandon()
            await asyncio.sleep(LOOK)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def _within(event: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(event.wait(), max(0.0, seconds))
    except TimeoutError:
        return


@asynccontextmanager
async def shadowing(shadow: Shadowing) -> AsyncIterator[None]:
    """Compare while the block runs."""
    runner, watch = shadow.runner, shadow.runner.watch

    def both(record: Record, processed: Processed) -> None:
        watch(record, processed)
        shadow.offer(record)

    runner.watch = both
    runner.pages[PAGE] = shadow.page
    running = asyncio.create_task(shadow.run())
    try:
        yield
    finally:
        runner.watch = watch
        await shadow.end(running)
