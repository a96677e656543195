"""The quarantine for those who look after it: list, show, retry, over a folder or topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.config import Health
from adapter.errors import RuleError
from adapter.quarantine import read_clear
from adapter.retry import RetryTransport
from adapter.sealing import SealError
from adapter.service import sealer, serve
from adapter.transports.registry import backend

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from adapter.config import Settings
    from adapter.quarantine import Held
    from adapter.types import Record
    from adapter.workers import Factory, Processed


async def listed(settings: Settings) -> AsyncIterator[tuple[str, Held]]:
    """Name and clear part of everything held now; needs no key.

    Raises:
        RuleError: the settings name no quarantine.
    """
    async for name, envelope in backend(settings).envelopes(settings):
        yield name, read_clear(envelope)


async def show(settings: Settings, name: str) -> tuple[Held, Record]:
    """A held record, opened: it is the original, for people allowed to see it.

    Raises:
        SealError: there is none of that name, or it cannot be opened.
        RuleError: there is no key.
    """
    seal = sealer(settings)
    if seal is None:
        raise RuleError("keys.quarantine", "is needed to open held records")
    async for found, envelope in backend(settings).envelopes(settings):
        if found == name:
            return seal.open(envelope)
    raise SealError("no such held record")


async def retry(
    settings: Settings,
    *,
    factory: Factory | None = None,
    watch: Callable[[Record, Processed], None] | None = None,
) -> int:
    """Process everything held now once more; returns as :func:`adapter.service.serve` does.

    Raises:
        RuleError: there is no key or no quarantine, or the rules cannot be honoured.
    """
    seal = sealer(settings)
    if seal is None:
        raise RuleError("keys.quarantine", "is needed to open held records")
    again = RetryTransport(
        await backend(settings).quarantine(settings),
        seal,
        settings.quarantine.max_attempts,
        settings.kafka.quarantine,
    )
    beside = settings.model_copy(update={"health": Health()})  # the service has its port
    return await serve(beside, over=again, factory=factory, watch=watch, earlier=again.earlier)
