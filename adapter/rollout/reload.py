"""Activates changed rules in a running service: compiles them beside the active ones, then swaps.

Lanes continue meanwhile. Each processes its next batch with the new ruleset; batches in progress
are settled with the ruleset that they started with, whose workers then end. Rules that do not
compile, or fail their own tests, are refused, and nothing changes.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import time
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.audit import Event, log
from adapter.errors import RuleError
from adapter.rollout.watch import changed
from adapter.rules.self_tests import rule_failures
from adapter.runtime.service import LoadRuleset, digest_of, generation, memory, workers_of
from adapter.runtime.workers import WorkerStartError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from adapter.config.settings import Settings
    from adapter.runtime.fork_server import Factory
    from adapter.runtime.runner import Runner
    from adapter.runtime.service import Deidentify
    from adapter.runtime.workers import Pool

LOOK = 0.1
"""Seconds between checks whether the service has started, or has finished with earlier workers."""


@dataclass(frozen=True, slots=True)
class LoadTestedRuleset:
    """Like `LoadRuleset`, but requires that the rules pass their own tests."""

    settings: Settings = field(repr=False)
    digest: str

    def __call__(self) -> Deidentify:
        """Compile the ruleset, then run its tests, which take longer.

        Raises:
            RuleError: a rule cannot be applied, a test fails, or rules have changed meanwhile.
        """
        deidentify = LoadRuleset(self.settings, self.digest)()
        _, failures = rule_failures(self.settings)
        if failures:
            problem = f"{len(failures)} tests of the rules fail; `deid-adapter check` shows them"
            raise RuleError(failures[0][0], problem)
        gc.collect()
        return deidentify


@dataclass(slots=True)
class Reloader:
    """Reloads the rules of a running service; ``load`` reads its settings again.

    Only the tables ``rules``, ``topic`` and ``shadow`` are updated; keys, connections and limits
    stay.
    """

    runner: Runner
    settings: Settings = field(repr=False)
    load: Callable[[], Settings] = field(repr=False)
    factory: Callable[[Settings, str], Factory] = LoadTestedRuleset
    changed: Callable[[Settings], None] = lambda _settings: None
    """Called with the settings whose rules were activated or are already active."""
    _starting: Pool | None = None
    _retiring: set[asyncio.Task[None]] = field(default_factory=set)
    _ended: bool = False

    async def run(self, wanted: asyncio.Event) -> None:
        """Reload whenever ``wanted`` is set, one at a time, once the service has started."""
        while True:
            await wanted.wait()
            while not self.runner.running:  # noqa: ASYNC110 - polled seldom, and briefly
                await asyncio.sleep(LOOK)
            wanted.clear()
            await self.reload()

    async def reload(self) -> None:
        """Activate the current rules on the disk, or log why not; never raises for bad rules."""
        since = time.monotonic()
        log(Event.RELOADING)
        try:
            settings, digest = await asyncio.to_thread(self._present)
            if digest == self.runner.audit.ruleset_digest:
                self._adopt(settings)
                log(Event.UNCHANGED, ruleset=digest)
                return
            await self._swap(settings, digest)
        except Exception as error:  # noqa: BLE001 - on any failure, the active rules stay
            self.runner.metrics.reloads.labels("refused").inc()
            log(Event.RELOAD_REFUSED, "error", error=error, **why(error))
        else:
            self.runner.metrics.reloads.labels("done").inc()
            spent = round((time.monotonic() - since) * 1000)
            log(Event.RELOADED, ruleset=digest, milliseconds=spent)

    def _present(self) -> tuple[Settings, str]:
        """Return the settings with the rules on the disk, and their digest."""
        fresh = self.load()
        update = {"rules": fresh.rules, "topic": fresh.topic, "shadow": fresh.shadow}
        settings = self.settings.model_copy(update=update)
        return settings, digest_of(settings)

    async def _swap(self, settings: Settings, digest: str) -> None:
        """Start workers of the new ruleset, and have the runner use them for further batches."""
        pool = workers_of(settings, self.factory(settings, digest))
        by = generation(settings, self.runner.transport, pool, digest)
        remember = await asyncio.to_thread(memory, settings)
        self._starting = pool
        try:
            await pool.__aenter__()
        finally:
            self._starting = None
        old = self.runner.pool
        self.runner.change(by, remember)
        self._adopt(settings)
        retiring = asyncio.create_task(self._retired(old))
        self._retiring.add(retiring)
        retiring.add_done_callback(self._retiring.discard)

    def _adopt(self, settings: Settings) -> None:
        self.settings = settings
        self.changed(settings)

    async def _retired(self, pool: Pool) -> None:
        while self.runner.works_by(pool) and not self._ended:  # noqa: ASYNC110 - briefly
            await asyncio.sleep(LOOK)
        await pool.__aexit__()

    async def end(self, running: asyncio.Task[None]) -> None:
        """Abort a change in progress, and end all workers; no batch may be running."""
        self._ended = True
        while self._starting is not None:
            self._starting.abandon()
            await asyncio.sleep(LOOK)
        running.cancel()
        await asyncio.gather(running, *self._retiring, return_exceptions=True)
        await self.runner.pool.__aexit__()


def why(error: Exception) -> dict[str, str]:
    """Return the log keys that say why rules were refused."""
    if isinstance(error, RuleError):
        return {"place": error.place, "reason": error.problem}
    return {"reason": str(error)} if isinstance(error, WorkerStartError) else {}


@asynccontextmanager
async def reloading(
    reloader: Reloader, files: Callable[[], object] | None = None
) -> AsyncIterator[None]:
    """Reload on SIGHUP while the block runs, and whenever the result of ``files`` has changed."""
    wanted = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGHUP, wanted.set)
    running = asyncio.create_task(reloader.run(wanted))
    watching = asyncio.create_task(changed(files, wanted)) if files else None
    try:
        yield
    finally:
        if watching is not None:
            watching.cancel()
            with suppress(asyncio.CancelledError):
                await watching
        await reloader.end(running)
        loop.remove_signal_handler(signal.SIGHUP)
