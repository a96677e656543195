"""The running service: makes transport, workers, audit and endpoint from the settings."""

from __future__ import annotations

import asyncio
import gc
import signal
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from adapter.audit import Audit, Event, configure_logs, log
from adapter.codecs import Frame, detect
from adapter.codecs.envelopes import ENVELOPES
from adapter.codecs.fhir.split import split as json_lines
from adapter.config.topics import chosen
from adapter.errors import RuleError
from adapter.pipeline.process import finish, prepare, process
from adapter.rules.compile import load_ruleset
from adapter.rules.digest import digest as ruleset_digest
from adapter.rules.folder import models_folder, rules_folder
from adapter.rules.formats import codecs_of
from adapter.runtime.batches import Budget, Generation
from adapter.runtime.health import endpoint
from adapter.runtime.patient_store import Bounds, PatientStore
from adapter.runtime.provenance import Provenance
from adapter.runtime.runner import Runner
from adapter.runtime.workers import Pool, Retries, WorkerStartError
from adapter.sealing.box import Box
from adapter.sealing.escrow import Escrow
from adapter.sealing.key_lookup import (
    escrow_key,
    sealing,
    surrogates_key,
    with_surrogates_key,
)
from adapter.sealing.quarantine import Sealer
from adapter.transports.protocol import TransportError
from adapter.transports.registry import backend
from adapter.types import Release

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from contextlib import AbstractAsyncContextManager

    from adapter.codecs import Codec
    from adapter.config.settings import Settings
    from adapter.phrases.memory import Facts
    from adapter.pipeline.process import Prepared
    from adapter.pipeline.ruleset import Ruleset
    from adapter.runtime.fork_server import Factory
    from adapter.sealing.quarantine import Held
    from adapter.transports.backend import Split
    from adapter.transports.protocol import Transport
    from adapter.types import Outcome, Position, Processed, Record

    Beside = Callable[[Runner], AbstractAsyncContextManager[object]]


INTERRUPTED = 130
"""Exit status of a command that was interrupted, as shells report for SIGINT."""


YOUNG = 10_000
"""Allocations before a garbage collection; a message makes thousands, but no lasting cycle."""


@dataclass(frozen=True, slots=True)
class Deidentify:
    """Applies ``process`` with a ruleset; drops a release's edits, which only explanations need."""

    ruleset: Ruleset = field(repr=False)

    def __call__(self, record: Record) -> Outcome:
        """Return the outcome of one record."""
        return _without_edits(process(record, self.ruleset))

    def prepare(self, record: Record) -> tuple[Prepared, tuple[Facts, ...]]:
        """Return the decoded record, and its facts about patients and staff."""
        prepared = prepare(record, self.ruleset, facts=True)
        return prepared, prepared.facts

    def finish(self, prepared: Prepared, known: Sequence[bytes]) -> Outcome:
        """Return the outcome of a record, given what is known of its people."""
        return _without_edits(finish(prepared, self.ruleset, known))


def _without_edits(outcome: Outcome) -> Outcome:
    return replace(outcome, edits=()) if isinstance(outcome, Release) else outcome


@dataclass(frozen=True, slots=True)
class LoadRuleset:
    """Makes a :class:`Deidentify` inside a server process, where the ruleset is compiled once.

    With ``digest``, the ruleset must have that digest, which releases and audit records contain.
    """

    settings: Settings = field(repr=False)
    digest: str = ""

    def __call__(self) -> Deidentify:
        """Compile the ruleset, and exempt it from garbage collection.

        Raises:
            RuleError: a rule cannot be applied, or the ruleset has changed since the start.
        """
        deidentify = Deidentify(load_ruleset(self.settings))
        if self.digest not in ("", deidentify.ruleset.digest):
            raise RuleError("rules", "changed since the start")
        gc.collect()
        gc.freeze()
        gc.set_threshold(YOUNG)
        return deidentify


def sealer(settings: Settings) -> Sealer | None:
    """Return the quarantine's sealer, or None without a key.

    Raises:
        RuleError: a key cannot be read, or two have one id.
    """
    return sealing(settings, "quarantine", Sealer)


def escrow(settings: Settings) -> Escrow | None:
    """Return the escrow that seals originals, or None if it is not enabled.

    Raises:
        RuleError: it has no key, or no place to write to.
    """
    if not settings.escrow.enabled:
        return None
    backend(settings).refuse_escrow(settings)
    return Escrow(*escrow_key(settings))


def splits(settings: Settings) -> Split:
    """Return the function that splits files, each by the settings that apply to its name.

    A file in an envelope is one message, or for JSON one message per line.
    """
    cases = {name: settings.of_topic(name) for name in settings.topic}

    def split(name: str) -> Callable[[bytes], Sequence[Frame]] | None:
        own = cases.get(chosen(cases, name) or "", settings)
        if own.envelope.kind == "none" and not own.envelope.gzip:
            return split_by(codecs_of(own))
        lines = ENVELOPES[own.envelope.kind].lines and not own.envelope.gzip
        return json_lines if lines else None

    return split


def split_by(codecs: Mapping[str, Codec]) -> Callable[[bytes], Sequence[Frame]]:
    """Return a function that splits a file by the codec of its format; unknown bytes stay whole."""
    only = next(iter(codecs)) if len(codecs) == 1 else None

    def split(raw: bytes) -> Sequence[Frame]:
        codec = codecs.get(only or detect(raw) or "")
        return codec.split(raw) if codec else (Frame(b"", raw, b""),)

    return split


def transport(settings: Settings) -> Transport:
    """Return the transport that the settings name.

    Raises:
        RuleError: a setting is missing, or a service cannot run over the transport.
    """
    sealed = sealer(settings) is not None
    return backend(settings).transport(settings, splits(settings), sealed=sealed)


def memory(settings: Settings) -> Callable[[], PatientStore] | None:
    """Return a factory of empty patient memories, or None if nothing is to be remembered.

    A service without a key for its memory remembers nothing, since what it knew would depend on
    when it was started.

    Raises:
        RuleError: a key is missing, or a key or the rules of a language cannot be read.
    """
    if not settings.known.enabled:
        return None
    box = sealing(settings, "state", Box)
    if not backend(settings).remembers(settings, sealed=box is not None):
        log(Event.NOTHING_KNOWN, "warning")
        return None
    bounds = Bounds(settings.known.patients, settings.known.days, settings.known.staff)
    return partial(PatientStore, rules_folder(settings).fields, box, bounds)


def workers_of(settings: Settings, factory: Factory) -> Pool:
    """Return a pool of workers with the settings' limits, not started."""
    workers, retries = settings.workers, Retries(settings.quarantine.transient_retries)
    return Pool(factory, workers.processes, workers.timeout_ms / 1000, retries)


def generation(settings: Settings, over: Transport, pool: Pool, digest: str) -> Generation:
    """Return the workers, with an audit and provenance that contain their ruleset's digest."""
    lasting = over.lasting_positions
    provenance = Provenance.under(*surrogates_key(settings), digest, lasting=lasting)
    return Generation(pool, Audit(digest, over.public), provenance)


def runner(settings: Settings, over: Transport, pool: Pool, digest: str) -> Runner:
    """Return a runner with the settings' limits, keys and memory."""
    by = generation(settings, over, pool, digest)
    return Runner(
        transport=over,
        pool=by.pool,
        sealer=sealer(settings),
        audit=by.audit,
        escrow=escrow(settings),
        budget=Budget(settings.workers.max_records, settings.workers.max_bytes),
        drain_seconds=settings.workers.drain_seconds,
        format_of=detect,
        provenance=by.provenance,
        remember=memory(settings),
    )


async def serve(
    settings: Settings,
    *,
    over: Transport | None = None,
    factory: Factory | None = None,
    digest: str | None = None,
    watch: Callable[[Record, Processed], None] | None = None,
    earlier: Callable[[Position], Held | None] | None = None,
    final: frozenset[str] = frozenset(),
    beside: Sequence[Beside] = (),
) -> int:
    """Run until the input ends or SIGTERM or SIGINT asks to drain; return 0, or 1 after a failure.

    Returns `INTERRUPTED` if an input of files was stopped before its end.

    ``over`` replaces the settings' transport, ``factory`` (with its ``digest``) the ruleset;
    ``watch`` is called with every settled record; ``earlier`` returns how a record was held before;
    ``final`` are codes of failures that end the run instead of being retried; ``beside`` are
    contexts entered while the service runs.

    Raises:
        RuleError: the settings, keys or rules cannot be applied.
    """
    configure_logs(settings.log.level)
    settings = with_surrogates_key(settings)
    escrow(settings)  # raises before any worker starts
    if over is None or factory is None:
        over = over or transport(settings)
        digest = digest or digest_of(settings)
        factory = factory or LoadRuleset(settings, digest)
    stop = stop_signal()
    pool = workers_of(settings, factory)
    try:
        running = runner(settings, over, pool, digest or "")
        running.watch = watch or running.watch
        running.earlier = earlier or running.earlier
        running.final = final
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(endpoint(running, settings.health))
            for each in beside:
                await stack.enter_async_context(each(running))
            await _run(running, pool, stop, settings.transport)
    except RuleError:
        raise
    except TransportError as error:
        if error.code in final:
            raise
        log(Event.FAILED, "error", **error.fields)
        return 1
    except WorkerStartError as error:
        log(Event.FAILED, "error", error=error, reason=str(error))
        return 1
    except Exception as error:  # noqa: BLE001 - its text may quote a message, its type does not
        log(Event.FAILED, "error", error=error)
        return 1
    log(Event.STOPPED)
    return INTERRUPTED if stop.is_set() and backend(settings).ends else 0


async def _run(running: Runner, pool: Pool, stop: asyncio.Event, transport: str) -> None:
    """Compile the rules, then run; a stop during the compilation ends it.

    Raises:
        Exception: the failure of the pool or the runner.
    """
    log(Event.COMPILING, ruleset=running.audit.ruleset_digest)
    since = time.monotonic()
    abandoning = asyncio.create_task(_abandon(pool, stop))
    try:
        async with pool:
            abandoning.cancel()
            spent = round((time.monotonic() - since) * 1000)
            log(Event.STARTED, transport=transport, workers=pool.alive(), milliseconds=spent)
            await running.run(stop)
    except WorkerStartError:
        if not stop.is_set():
            raise
    finally:
        abandoning.cancel()


async def _abandon(pool: Pool, stop: asyncio.Event) -> None:
    await stop.wait()
    pool.abandon()


def digest_of(settings: Settings) -> str:
    """Return the digest of the ruleset that workers will load.

    Raises:
        RuleError: a folder does not exist.
    """
    return ruleset_digest(rules_folder(settings).path, models_folder(settings), settings)


def stop_signal() -> asyncio.Event:
    """Return an event that SIGTERM and SIGINT set."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    return stop
