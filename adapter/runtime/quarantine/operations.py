"""The operations on the quarantine: list, show, retry and discard."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from adapter.config.settings import Health
from adapter.errors import RuleError
from adapter.runtime import access
from adapter.runtime.quarantine.discard import Discard
from adapter.runtime.quarantine.entries import Selection, State, entries
from adapter.runtime.quarantine.retry import Plan, RetryTransport
from adapter.runtime.service import sealer, serve
from adapter.sealing.box import SealError
from adapter.transports.protocol import LASTING
from adapter.transports.registry import backend

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adapter.config.settings import Settings
    from adapter.runtime.fork_server import Factory
    from adapter.runtime.quarantine.entries import Entry
    from adapter.sealing.quarantine import Held, Sealer
    from adapter.types import Processed, Record

ALL = Selection()


async def listed(settings: Settings, selection: Selection = ALL) -> list[Entry]:
    """Return the selected entries of the quarantine; needs no key.

    The clear part is unverified: only opening an envelope shows that it was not changed.

    Raises:
        RuleError: the settings name no quarantine, or there is no record of a name.
    """
    found = await _entries(settings)
    _refuse_unknown(selection, found)
    return [entry for entry in found if selection.has(entry)]


def _refuse_unknown(selection: Selection, found: Sequence[Entry]) -> None:
    if unknown := selection.unknown(found):
        raise RuleError(unknown[0], "no such held record")


async def _entries(settings: Settings, seal: Sealer | None = None) -> list[Entry]:
    kind = backend(settings)

    def opens(envelope: bytes) -> bool:
        return seal is None or _opened(seal, envelope) is not None

    return await entries(kind.envelopes(settings), lambda ids: kind.released(settings, ids), opens)


def _opened(seal: Sealer, envelope: bytes) -> tuple[Held, Record] | None:
    try:
        return seal.open(envelope)
    except SealError:
        return None


async def show(settings: Settings, name: str, reason: str = "") -> tuple[Held, Record]:
    """Return a held record, opened: the original, for people authorised to see it.

    ``name`` is a message's id, or the place of one of its envelopes. The access is recorded in the
    audit first.

    Raises:
        SealError: there is no record of that name, or it cannot be opened.
        RuleError: there is no key, or no audit that takes the record.
    """
    seal = _sealer(settings)
    found = _named(await _entries(settings, seal), name)
    await access.record(settings, "quarantine show", reason, **_source(found))
    async for place, envelope in backend(settings).envelopes(settings):
        if place == found.place:
            return seal.open(envelope)
    raise SealError("no such held record")


def _source(entry: Entry) -> dict[str, Any]:
    """Return the fields of an audit record that tell which envelope was opened."""
    held = entry.held
    at = {"topic": held.topic, "partition": held.partition, "offset": held.offset} if held else {}
    return {"id": entry.name, "place": entry.place, **at}


def _named(entries: Sequence[Entry], name: str) -> Entry:
    """Return the envelope at the place ``name``, else the last one of the message ``name``."""
    by_place = [entry for entry in entries if entry.place == name]
    by_name = [entry for entry in entries if entry.name == name]
    current = [entry for entry in by_name if entry.state is not State.UNREADABLE]
    found = by_place or current or by_name
    if not found:
        raise SealError("no such held record")
    return found[-1]


def _sealer(settings: Settings) -> Sealer:
    seal = sealer(settings)
    if seal is None:
        raise RuleError("keys.quarantine", "is required to open held records")
    return seal


async def retry(
    settings: Settings,
    selection: Selection = ALL,
    *,
    reason: str = "",
    factory: Factory | None = None,
    watch: Callable[[Record, Processed], None] | None = None,
) -> int:
    """Process the selected messages again; returns as :func:`adapter.runtime.service.serve` does.

    Nothing is started if nothing is selected. A message selected by name is retried however often
    it has been tried. The number of opened messages and the ``reason`` are recorded first; each
    message has its own audit record too.

    Raises:
        RuleError: there is no key or no quarantine, the rules cannot be applied, a name is not that
            of a held message, or there is no audit that takes the record.
        TransportError: a failure lasts until an operator acts. What was committed before is
            settled; the rest is unchanged.
    """
    seal = _sealer(settings)
    backend(settings).require_audit(settings)
    plan, _ = _chosen(await _entries(settings, seal), selection)
    if not plan.chosen:
        return 0
    await access.record(settings, "quarantine retry", reason, count=len(plan.chosen))
    again = RetryTransport(
        await backend(settings).quarantine(settings),
        seal,
        math.inf if selection.names else settings.quarantine.max_attempts,
        settings.kafka.quarantine,
        plan,
    )
    beside = settings.model_copy(update={"health": Health()})  # the running service uses the port
    return await serve(
        beside, over=again, factory=factory, watch=watch, earlier=again.earlier, final=LASTING
    )


def _chosen(
    found: Sequence[Entry], selection: Selection, states: Sequence[State] = (State.HELD,)
) -> tuple[Plan, dict[bytes, Entry]]:
    """Return the selected envelopes, and the earlier ones of the same messages."""
    _refuse_unknown(selection, found)
    meant = [entry for entry in found if entry.state in states and selection.has(entry)]
    names = {entry.name for entry in meant}
    earlier = [e for e in found if e.state is State.SUPERSEDED and e.name in names]
    plan = Plan(frozenset(e.digest for e in meant), frozenset(e.digest for e in earlier))
    return plan, {entry.digest: entry for entry in (*meant, *earlier)}


async def discard(settings: Settings, selection: Selection, reason: str, user: str) -> list[Entry]:
    """Settle the selected messages without release, and return them; each has an audit record.

    Messages that a later run has released are included, and if selected by name, unreadable ones.

    Raises:
        RuleError: there is no quarantine, no audit or no reason, or a name is not that of a held
            message.
    """
    kind = backend(settings)
    kind.require_audit(settings)
    if not reason.strip():
        raise RuleError("--reason", "must not be empty")
    states = [State.HELD, State.RELEASED, *([State.UNREADABLE] if selection.names else [])]
    plan, chosen = _chosen(await _entries(settings, sealer(settings)), selection, states)
    if chosen:
        await Discard(
            await kind.quarantine(settings),
            settings.kafka.quarantine,
            chosen,
            lambda entry: access.discarded(entry.held, entry.place, user, reason),
        ).run()
    return [chosen[each] for each in plan.chosen]
