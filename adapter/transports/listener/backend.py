"""A listener as the program's transport: what it needs, where it keeps things, its quarantine.

Where outcomes go to topics, or to files, everything but the listener is as it is there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

from adapter.errors import RuleError
from adapter.sealing.key_lookup import audit_signer
from adapter.transports.files.backend import FilesBackend
from adapter.transports.kafka.backend import KafkaBackend
from adapter.transports.listener.tls import server_context
from adapter.transports.listener.to_files import FilesOutlet
from adapter.transports.listener.to_kafka import KafkaOutlet

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection

    from adapter.config.listeners.listener import Listener
    from adapter.config.settings import Settings
    from adapter.sealing.verification import Place
    from adapter.transports.backend import Backend, Findings, Split
    from adapter.transports.listener.lane import Outlet
    from adapter.transports.listener.to_files import Layout
    from adapter.transports.protocol import Transport

OUTPUTS: dict[str, Backend] = {"kafka": KafkaBackend(), "files": FilesBackend()}


class ListenerBackend(ABC):
    """A listener in; topics or a folder out. ``place`` is the table of its settings."""

    ends = False
    keeps_originals = False
    broker = True
    place: str
    layout: Layout
    """How released messages lie in files."""

    @abstractmethod
    def listener(self, settings: Settings) -> Listener:
        """Return its settings."""

    @abstractmethod
    def listening(self, settings: Settings, outlet: Outlet) -> Transport:
        """Return it as a transport.

        Raises:
            RuleError: it cannot be used as the settings have it.
        """

    def transport(self, settings: Settings, split: Split, *, sealed: bool) -> Transport:
        """Listen.

        Raises:
            RuleError: there is no key or place for what is held, or TLS cannot be used.
        """
        del split  # what arrives is one message, or a batch that its codec takes apart
        if not sealed:
            raise RuleError("keys.quarantine", "held messages need a key to be sealed with")
        return self.listening(settings, self._outlet(settings))

    def reader(self, settings: Settings, split: Split, records: int) -> NoReturn:
        """Refuse: there is nothing that can be read without taking it.

        Raises:
            RuleError: always.
        """
        del settings, split, records
        raise RuleError(
            "transport", "a listener has nothing that can be read again; use kafka or files"
        )

    def refuse_escrow(self, settings: Settings) -> None:
        """Refuse an escrow without a place.

        Raises:
            RuleError: a folder is written to, and no file is named.
        """
        self._output(settings).refuse_escrow(settings)

    def remembers(self, settings: Settings, *, sealed: bool) -> bool:
        """Say whether what is known of patients outlives a restart.

        Raises:
            RuleError: a file is named, and there is no key to seal it with.
        """
        lasting = self.listener(settings).output == "kafka" or settings.files.state is not None
        return lasting and self._output(settings).remembers(settings, sealed=sealed)

    def memory_place(self, settings: Settings) -> str:
        """The topic or file."""
        place = self._output(settings).memory_place(self._named(settings))
        return place.replace("{topic}", self.listener(settings).name)

    async def preflight(self, settings: Settings, *, state: bool, create: bool) -> Findings:
        """Look at certificates, and at the output's topics and rights; the listener reads no topic.

        Raises:
            RuleError: the broker does not answer, or TLS cannot be used.
        """
        server_context(self.listener(settings).tls, f"{self.place}.tls")
        named = self._named(settings)
        found = await self._output(settings).preflight(named, state=state, create=create)
        unread = self.listener(settings).name, f"group {named.kafka.consumer_group}"
        wrong = tuple(problem for problem in found.wrong if problem[0] not in unread)
        return replace(found, wrong=wrong)

    def envelopes(self, settings: Settings) -> AsyncIterator[tuple[str, bytes]]:
        """What is held now.

        Raises:
            RuleError: the settings name no quarantine.
        """
        return self._output(settings).envelopes(self._named(settings))

    def released(self, settings: Settings, ids: Collection[str]) -> Collection[str]:
        """Those that the output is known to have."""
        return self._output(settings).released(self._named(settings), ids)

    def require_audit(self, settings: Settings) -> None:
        """Refuse settings without a place for audit records.

        Raises:
            RuleError: they name none.
        """
        self._output(settings).require_audit(settings)

    async def record(self, settings: Settings, entry: bytes) -> None:
        """Write to the audit of the output.

        Raises:
            RuleError: the settings keep none.
            TransportError: it could not be written.
        """
        await self._output(settings).record(self._named(settings), entry)

    def recorded(self, settings: Settings) -> AsyncIterator[tuple[Place, bytes]]:
        """The audit records of the output.

        Raises:
            RuleError: the settings keep none.
        """
        return self._output(settings).recorded(self._named(settings))

    async def quarantine(self, settings: Settings) -> Transport:
        """Read what is held, once.

        Raises:
            RuleError: the settings name no quarantine.
        """
        return await self._output(settings).quarantine(self._named(settings))

    def _output(self, settings: Settings) -> Backend:
        return OUTPUTS[self.listener(settings).output]

    def _outlet(self, settings: Settings) -> Outlet:
        name, signer = self.listener(settings).name, audit_signer(settings)
        if self.listener(settings).output == "kafka":
            return KafkaOutlet(settings.kafka, name, signer)
        if settings.files.quarantine is None:
            raise RuleError("files.quarantine", "names no folder for held messages")
        return FilesOutlet(settings.files, settings.files.quarantine, name, self.layout, signer)

    def _named(self, settings: Settings) -> Settings:
        """The settings with the listener's name as the one input topic."""
        known = settings.known.model_copy(update={"scope": "partition"})
        topics = {"topics": (self.listener(settings).name,), "pattern": None}
        kafka = settings.kafka.model_copy(update=topics)
        return settings.model_copy(update={"kafka": kafka, "known": known})
