"""Operations on the quarantine: list, show and retry, over a folder or topics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.config.settings import Health
from adapter.errors import RuleError
from adapter.runtime.quarantine_retry import RetryTransport
from adapter.runtime.service import sealer, serve
from adapter.sealing.box import SealError
from adapter.sealing.quarantine import read_clear
from adapter.transports.registry import backend

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from adapter.config.settings import Settings
    from adapter.runtime.fork_server import Factory
    from adapter.sealing.quarantine import Held
    from adapter.types import Processed, Record


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
    """Process everything held now once more; returns as :func:`adapter.runtime.service.serve` does.

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
