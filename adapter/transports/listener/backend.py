"""The backend that all listeners share: makes the transport.

Outcomes are written to topics or to files; everything but listening is left to their backend.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NoReturn

from adapter.errors import RuleError
from adapter.sealing.key_lookup import audit_signer
from adapter.transports.files.backend import FilesBackend
from adapter.transports.kafka.backend import KafkaBackend
from adapter.transports.kafka.preflight.findings import Wish, preflight
from adapter.transports.kafka.preflight.topics import BROKERS_CHOICE, LARGEST, Topic
from adapter.transports.listener.tls import server_context
from adapter.transports.listener.to_files import FilesOutlet
from adapter.transports.listener.to_kafka import KafkaOutlet

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection

    from adapter.config.listeners.listener import Listener
    from adapter.config.settings import Settings
    from adapter.sealing.verification import Place
    from adapter.transports.backend import AccessLog, Backend, Findings, Split
    from adapter.transports.listener.lane import Outlet
    from adapter.transports.listener.to_files import Layout
    from adapter.transports.protocol import Transport

OUTPUTS: dict[str, Backend] = {"kafka": KafkaBackend(), "files": FilesBackend()}


class ListenerBackend(ABC):
    """Reads from a listener; writes to topics or a folder. ``place`` is its settings table."""

    ends = False
    keeps_originals = False
    broker = True
    place: str
    layout: Layout
    """Arranges released messages in output files."""

    @abstractmethod
    def listener(self, settings: Settings) -> Listener:
        """Return the settings of the listener."""

    @abstractmethod
    def listening(self, settings: Settings, outlet: Outlet) -> Transport:
        """Return the listening transport.

        Raises:
            RuleError: the listener cannot be used with these settings.
        """

    def transport(self, settings: Settings, split: Split, *, sealed: bool) -> Transport:
        """Return the listening transport.

        Raises:
            RuleError: there is no key or place for held messages, or TLS cannot be used.
        """
        del split  # each arrival is one message, or a batch that its codec splits
        if not sealed:
            raise RuleError(
                "keys.quarantine", "is not set; held messages must be sealed with a key"
            )
        return self.listening(settings, self._outlet(settings))

    def reader(self, settings: Settings, split: Split, records: int) -> NoReturn:
        """Refuse: a listener has no records that can be read without taking them.

        Raises:
            RuleError: always.
        """
        del settings, split, records
        raise RuleError(
            "transport", "messages of a listener cannot be read again; use kafka or files"
        )

    def refuse_escrow(self, settings: Settings) -> None:
        """Refuse settings that enable escrow without a place for it.

        Raises:
            RuleError: the output is a folder, and the settings name no escrow file.
        """
        self._output(settings).refuse_escrow(settings)

    def remembers(self, settings: Settings, *, sealed: bool) -> bool:
        """Return whether patient memory outlives a restart.

        Raises:
            RuleError: the settings name a state file, and there is no key to seal it with.
        """
        lasting = self.listener(settings).output == "kafka" or settings.files.state is not None
        return lasting and self._output(settings).remembers(settings, sealed=sealed)

    def memory_place(self, settings: Settings) -> str:
        """Return a phrase that says where patient memory is kept: a topic or a file."""
        place = self._output(settings).memory_place(self._named(settings))
        return place.replace("{topic}", self.listener(settings).name)

    async def preflight(self, settings: Settings, *, state: bool, create: bool) -> Findings:
        """Check certificates, and the output's topics and rights; the listener reads no topic.

        Raises:
            RuleError: the broker does not answer, or TLS cannot be used.
        """
        listener = self.listener(settings)
        server_context(listener.tls, f"{self.place}.tls")
        if listener.output != "kafka":
            return await self._output(settings).preflight(settings, state=state, create=create)
        largest = {LARGEST: str(listener.max_message_bytes)}
        source = Topic(listener.name, 1, BROKERS_CHOICE, largest)
        wish = Wish(settings.escrow.enabled, state, create, listener=source)
        return await preflight(self._named(settings).kafka, wish)

    def envelopes(self, settings: Settings) -> AsyncIterator[tuple[str, bytes]]:
        """Yield (name, envelope) of every held message.

        Raises:
            RuleError: the settings name no quarantine.
        """
        return self._output(settings).envelopes(self._named(settings))

    def released(self, settings: Settings, ids: Collection[str]) -> Collection[str]:
        """Return those of the ids that the output is known to have."""
        return self._output(settings).released(self._named(settings), ids)

    def require_audit(self, settings: Settings) -> None:
        """Refuse settings without a place for audit records.

        Raises:
            RuleError: the settings name none.
        """
        self._output(settings).require_audit(settings)

    async def record(self, settings: Settings, entry: bytes) -> None:
        """Write an entry to the audit of the output.

        Raises:
            RuleError: the settings keep none.
            TransportError: the entry could not be written.
        """
        await self._output(settings).record(self._named(settings), entry)

    def access_log(self, settings: Settings, name: str) -> AccessLog:
        """Return a log for many records of accesses in the audit of the output.

        Raises:
            RuleError: the settings keep none.
        """
        return self._output(settings).access_log(self._named(settings), name)

    def recorded(self, settings: Settings) -> AsyncIterator[tuple[Place, bytes]]:
        """Yield (place, record) of the output's audit.

        Raises:
            RuleError: the settings keep none.
        """
        return self._output(settings).recorded(self._named(settings))

    async def quarantine(self, settings: Settings) -> Transport:
        """Return a transport that reads the held messages once.

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
            raise RuleError("files.quarantine", "is not set; name the folder of held messages")
        return FilesOutlet(settings.files, settings.files.quarantine, name, self.layout, signer)

    def _named(self, settings: Settings) -> Settings:
        """Return the settings with the listener's name as the one input topic."""
        known = settings.known.model_copy(update={"scope": "partition"})
        topics = {"topics": (self.listener(settings).name,), "pattern": None}
        kafka = settings.kafka.model_copy(update=topics)
        return settings.model_copy(update={"kafka": kafka, "known": known})
