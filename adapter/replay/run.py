"""A whole replay: survey, plan, run, finish."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from adapter.audit import Event, configure_logs, log
from adapter.errors import RuleError
from adapter.replay.errors import shown
from adapter.replay.hindsight import KnownStore, SecondPass
from adapter.replay.manifest import Account
from adapter.replay.passes import Parts, Watch, first_pass, memory, pool_of, runner
from adapter.replay.plan import Plan, pinned, refuse_other
from adapter.replay.rate import Rate
from adapter.replay.registry import source_of, target_of
from adapter.replay.storage import Storage
from adapter.replay.transport import ReplayTransport
from adapter.replay.verify.published import published
from adapter.replay.verify.target import VerifyTarget
from adapter.rules.digest import digest as digest_of
from adapter.rules.folder import models_folder, rules_folder
from adapter.runtime.service import INTERRUPTED, LoadRuleset, stop_signal
from adapter.sealing.box import Box
from adapter.sealing.key_lookup import sealing, with_surrogates_key

if TYPE_CHECKING:
    from adapter.config.settings import Settings
    from adapter.replay.protocol import Source, Target
    from adapter.runtime.fork_server import Factory


@dataclass(frozen=True, slots=True)
class Done:
    """The end of a replay: exit status, and the manifest, {} if the replay was interrupted."""

    status: int
    manifest: dict[str, Any] = field(default_factory=dict, repr=False)


def ready(settings: Settings) -> tuple[Settings, str]:
    """Return the settings as a replay uses them, and the digest of their ruleset.

    The escrow is switched off: its pairs were written when the messages were first released.

    Raises:
        RuleError: a setting, key or rule cannot be applied, or is not the required one.
    """
    if not settings.replay.name:
        raise RuleError("replay.name", "is not set; name the replay")
    known = settings.known
    if known.enabled and known.scope == "domain" and settings.replay.knowledge == "as-of":
        problem = "as-of needs an order across topics, which no source has (known.scope is domain)"
        raise RuleError("replay.knowledge", f"{problem}; use hindsight or none")
    settings = with_surrogates_key(settings).model_copy(
        update={"escrow": settings.escrow.model_copy(update={"enabled": False})}
    )
    digest = digest_of(rules_folder(settings).path, models_folder(settings), settings)
    pinned(settings, digest)
    return settings, digest


async def planned(settings: Settings, digest: str, source: Source, watch: Watch) -> Plan:
    """Survey the source and return the plan.

    Raises:
        RuleError: the source cannot be read, or has no records in the range.
    """
    survey = await source.survey(watch.surveyed)
    if not survey.lanes:
        raise RuleError("replay.source", "has no records in the range")
    return Plan(settings.replay, digest, *pinned(settings, digest), survey)


async def replay(
    settings: Settings,
    *,
    resume: bool = False,
    watch: Watch | None = None,
    factory: Factory | None = None,
) -> Done:
    """Run a replay to its end, or until SIGTERM or SIGINT, after which it can be resumed.

    ``factory`` replaces the processes of the ruleset.

    Raises:
        RuleError: settings, source or target cannot be used; settled records stay settled.
    """
    configure_logs(settings.log.level)
    watch = watch or Watch()
    settings, digest = ready(settings)
    source = source_of(settings)
    target = target_of(settings, sealed=sealing(settings, "state", Box) is not None)
    try:
        await target.start()
        begun = await target.begun()
        if begun is not None:
            if not resume:
                place = shown(settings.replay.journal)
                raise RuleError(
                    place,
                    "already has a replay of this name; use --resume or choose another replay.name",
                )
            source.fix(begun)
        plan = await planned(settings, digest, source, watch)
        if finished := await _begun(settings, target, plan, begun):
            return Done(0, finished)
        return await _run(settings, plan, Parts(source, target, watch, factory))
    finally:
        await source.stop()
        await target.stop()


async def verify(
    settings: Settings,
    against: str,
    *,
    watch: Watch | None = None,
    factory: Factory | None = None,
) -> Done:
    """Process a replay's messages, write none, and compare the results with published ones.

    The report is written to the journal as ``verify.json``; the status is 1 if anything differs.

    Raises:
        RuleError: settings, source or published results cannot be used.
    """
    configure_logs(settings.log.level)
    watch = watch or Watch()
    settings, digest = ready(settings)
    source = source_of(settings)
    try:
        plan = await planned(settings, digest, source, watch)
        topics = [lane.topic for lane in plan.survey.lanes]
        target = VerifyTarget(await published(settings, against, topics), shown(against))
        done = await _run(settings, plan, Parts(source, target, watch, factory))
    finally:
        await source.stop()
    if not done.manifest:
        return done
    report = done.manifest
    raw = json.dumps(report, indent=2, ensure_ascii=False).encode() + b"\n"
    Storage.at(settings.replay.journal, private=True).write("verify.json", [raw])
    return Done(int(bool(report["output"]["differences"])), report)


async def _begun(
    settings: Settings, target: Target, plan: Plan, begun: dict[str, Any] | None
) -> dict[str, Any] | None:
    """Begin or resume a replay; return the manifest if it finished before, else None."""
    told = plan.told()
    place = shown(settings.replay.journal)
    if begun is None:
        await target.begin(told)
        return None
    refuse_other(begun, told, place)
    if finished := await target.finished():
        return finished
    if not target.resumes and settings.replay.knowledge == "as-of":
        log(Event.NOTHING_KNOWN, "warning")
        await target.begin(told)
    return None


async def _run(settings: Settings, plan: Plan, parts: Parts) -> Done:
    source, target, watch = parts.source, parts.target, parts.watch
    rate = Rate(settings.replay.records_per_second, settings.replay.bytes_per_second)
    lanes = plan.survey.lanes
    over = ReplayTransport(source, target, lanes, rate, attempts=settings.replay.attempts)
    watch.planned(plan, await _settled(target))
    stop = stop_signal()
    factory = parts.factory or LoadRuleset(settings, plan.ruleset)
    words = rules_folder(settings).fields
    remember = memory(settings, words)
    if settings.replay.knowledge == "hindsight":
        known = await first_pass(settings, over, factory, watch.learned, stop)
        if known is None:
            return Done(INTERRUPTED)
        factory, remember = SecondPass(factory), partial(KnownStore, words, known)
    async with pool_of(settings, factory) as pool:
        running = runner(settings, over, pool, plan.ruleset, remember)
        running.watch = watch.settled
        await running.run(stop)
    if not over.complete:
        return Done(INTERRUPTED)
    account = Account(plan.told(), lanes, over.progress)
    return Done(0, account.whole(await target.finish(account)))


async def _settled(target: Target) -> int:
    """Return the number of records that an earlier run has settled."""
    return sum(progress.records for progress in (await target.settled()).values())
