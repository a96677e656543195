"""The memory backend: only a program can make this transport, so its settings are refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from adapter.errors import RuleError
from adapter.sealing.verification import Place
from adapter.transports.backend import Findings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection

    from adapter.config.settings import Settings
    from adapter.transports.backend import Split


class MemoryBackend:
    """In-process queues, whose transport a program passes to the service itself."""

    ends = False
    keeps_originals = False
    broker = False

    def transport(self, settings: Settings, split: Split, *, sealed: bool) -> NoReturn:
        """Refuse: only a program can pass its own queues.

        Raises:
            RuleError: always.
        """
        del settings, split, sealed
        raise RuleError("transport", "memory exists only inside one process; use kafka or files")

    def reader(self, settings: Settings, split: Split, records: int) -> NoReturn:
        """Refuse: reading a queue would consume it.

        Raises:
            RuleError: always.
        """
        del settings, split, records
        raise RuleError("transport", "memory exists only inside one process; use kafka or files")

    def refuse_escrow(self, settings: Settings) -> None:
        """Do nothing: every channel is a queue."""

    def remembers(self, settings: Settings, *, sealed: bool) -> bool:
        """Return True: patient memory lasts as long as the program."""
        del settings, sealed
        return True

    def memory_place(self, settings: Settings) -> str:
        """Return "for each run"."""
        del settings
        return "for each run"

    async def preflight(self, settings: Settings, *, state: bool, create: bool) -> Findings:
        """Return no findings: memory needs no preflight."""
        del settings, state, create
        return Findings()

    async def envelopes(self, settings: Settings) -> AsyncIterator[tuple[str, bytes]]:
        """Refuse, as `transport` does.

        Raises:
            RuleError: always.
        """
        del settings
        raise RuleError("transport", "memory has no quarantine; use kafka or files")
        yield "", b""  # an asynchronous generator, as the protocol has it

    def released(self, settings: Settings, ids: Collection[str]) -> Collection[str]:
        """Return none: the output is not searched."""
        del settings, ids
        return frozenset()

    def require_audit(self, settings: Settings) -> None:
        """Refuse, as `transport` does.

        Raises:
            RuleError: always.
        """
        del settings
        raise RuleError("transport", "memory has no audit; use kafka or files")

    async def record(self, settings: Settings, entry: bytes) -> None:
        """Refuse, as `transport` does.

        Raises:
            RuleError: always.
        """
        del entry
        self.require_audit(settings)

    def access_log(self, settings: Settings, name: str) -> NoReturn:
        """Refuse, as `transport` does.

        Raises:
            RuleError: always.
        """
        del settings, name
        raise RuleError("transport", "memory has no audit; use kafka or files")

    async def recorded(self, settings: Settings) -> AsyncIterator[tuple[Place, bytes]]:
        """Refuse, as `transport` does.

        Raises:
            RuleError: always.
        """
        self.require_audit(settings)
        yield Place("", 0), b""  # an asynchronous generator, as the protocol has it

    async def quarantine(self, settings: Settings) -> NoReturn:
        """Refuse, as `transport` does.

        Raises:
            RuleError: always.
        """
        del settings
        raise RuleError("transport", "memory has no quarantine; use kafka or files")
