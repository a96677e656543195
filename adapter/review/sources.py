"""Messages from the quarantine, and from the input topics up to their present ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.runtime import access
from adapter.runtime.quarantine import operations
from adapter.runtime.quarantine.entries import State
from adapter.runtime.service import sealer
from adapter.sealing.box import SealError
from adapter.transports.registry import backend

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from adapter.config.settings import Settings


async def held_records(
    settings: Settings, limit: int
) -> AsyncIterator[tuple[str, bytes, str, str]]:
    """Yield (name, bytes, stage/code, topic) of held records, after recording the access.

    Raises:
        RuleError: there is no quarantine, no key or no audit.
    """
    seal = sealer(settings)
    if seal is None:
        raise RuleError("keys.quarantine", "is required to open held records")
    found = await operations.listed(settings)
    wanted = {e.place: e for e in found if e.state is State.HELD and e.held and e.held.payload}
    if not wanted:
        return
    await access.record(settings, "review import", "", count=min(limit, len(wanted)))
    taken = 0
    async for place, envelope in backend(settings).envelopes(settings):
        if place not in wanted or taken == limit:
            continue
        try:
            held, record = seal.open(envelope)
        except SealError:
            continue
        if record.value is not None:
            taken += 1
            hold, topic = f"{held.stage}/{held.code}", record.position.topic
            yield wanted[place].name, record.value, hold, topic


async def topic_records(settings: Settings, limit: int) -> AsyncIterator[tuple[bytes, str]]:
    """Yield (value, topic) of the input topics, from their beginnings to their present ends.

    Nothing is committed: the adapter's own group is not touched.

    Raises:
        RuleError: the settings name no topics.
    """
    from adapter.transports.kafka.admin import input_values  # noqa: PLC0415 - Kafka only

    if not settings.kafka.topics:
        raise RuleError("kafka.topics", "is empty; list the input topics to import from")
    taken = 0
    async for value, topic in input_values(settings.kafka):
        if taken == limit:
            return
        taken += 1
        yield value, topic
