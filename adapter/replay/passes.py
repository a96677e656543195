"""Workers, runner and patient memory of the passes of a replay."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from adapter.audit import Audit
from adapter.codecs import detect
from adapter.replay.hindsight import FirstPass, empty, learned
from adapter.rules.folder import rules_folder
from adapter.runtime.batches import Budget
from adapter.runtime.patient_store import Bounds, PatientStore
from adapter.runtime.provenance import Provenance
from adapter.runtime.runner import Runner
from adapter.runtime.service import sealer
from adapter.runtime.workers import Pool
from adapter.sealing.box import Box
from adapter.sealing.key_lookup import sealing, surrogates_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.config.settings import Settings
    from adapter.languages.field_words import FieldWords
    from adapter.phrases.memory import Memory
    from adapter.replay.plan import Plan
    from adapter.replay.protocol import Source, Target
    from adapter.replay.rate import Rate
    from adapter.replay.transport import ReplayTransport
    from adapter.runtime.fork_server import Factory
    from adapter.types import Processed, Record


@dataclass(slots=True)
class Watch:
    """Callbacks with which a command shows a replay's progress; all are optional."""

    surveyed: Callable[[int, int], None] = lambda _done, _all: None
    planned: Callable[[Plan, int], None] = lambda _plan, _done: None
    """Called with the plan and the number of records that an earlier run has settled."""
    learned: Callable[[int], None] = lambda _records: None
    """Called with the number of records of each batch learned in the first of two passes."""
    settled: Callable[[Record, Processed], None] = lambda _record, _processed: None


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a replay: source, target, callbacks, and a factory of processes or None."""

    source: Source
    target: Target
    watch: Watch = field(default_factory=Watch, repr=False)
    factory: Factory | None = None


def pool_of(settings: Settings, factory: Factory) -> Pool:
    """Return a pool of workers with the settings' numbers and time limit."""
    workers = settings.workers
    return Pool(factory, workers.processes, workers.timeout_ms / 1000)


async def first_pass(
    settings: Settings,
    over: ReplayTransport,
    factory: Factory,
    watch: Callable[[int], None],
    stop: asyncio.Event,
) -> Memory | None:
    """Return the memory of the facts of all messages, or None if the run was stopped."""
    stopping = asyncio.create_task(_stopped(stop, over.rate))
    try:
        async with pool_of(settings, FirstPass(factory)) as pool:
            store = empty(rules_folder(settings).fields)
            return await learned(over.source, over.ranges, pool, over.rate, store, watch=watch)
    finally:
        stopping.cancel()


async def _stopped(stop: asyncio.Event, rate: Rate) -> None:
    await stop.wait()
    rate.stop()


def runner(
    settings: Settings,
    over: ReplayTransport,
    pool: Pool,
    digest: str,
    remember: Callable[[], PatientStore] | None,
) -> Runner:
    """Return a runner with the settings' bounds and sealer, and the given patient memory."""
    return Runner(
        transport=over,
        pool=pool,
        sealer=sealer(settings),
        audit=Audit(digest, over.public),
        budget=Budget(settings.workers.max_records, settings.workers.max_bytes),
        drain_seconds=settings.workers.drain_seconds,
        format_of=detect,
        provenance=Provenance.under(*surrogates_key(settings), digest, lasting=True),
        remember=remember,
    )


def memory(settings: Settings, words: FieldWords) -> Callable[[], PatientStore] | None:
    """Return a factory of empty patient stores as in the live run, or None without memory."""
    if settings.replay.knowledge != "as-of" or not settings.known.enabled:
        return None
    bounds = Bounds(settings.known.patients, settings.known.days, settings.known.staff)
    return partial(PatientStore, words, sealing(settings, "state", Box), bounds)
