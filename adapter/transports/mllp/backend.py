"""MLLP as the program's transport: what it needs, where it keeps things, its quarantine.

Where outcomes go to topics, or to files, everything but the listener is as it is there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NoReturn

from adapter.errors import RuleError
from adapter.sealing.key_lookup import audit_signer
from adapter.transports.files.backend import FilesBackend
from adapter.transports.kafka.backend import KafkaBackend
from adapter.transports.mllp.to_files import FilesOutlet
from adapter.transports.mllp.to_kafka import KafkaOutlet
from adapter.transports.mllp.transport import MllpTransport, server_context

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection

    from adapter.config.settings import Settings
    from adapter.sealing.verification import Place
    from adapter.transports.backend import Backend, Findings, Split
    from adapter.transports.mllp.lane import Outlet
    from adapter.transports.protocol import Transport

OUTPUTS: dict[str, Backend] = {"kafka": KafkaBackend(), "files": FilesBackend()}


class MllpBackend:
    """A listener in; topics or a folder out."""

    ends = False
    keeps_originals = False
    broker = True

    def transport(self, settings: Settings, split: Split, *, sealed: bool) -> Transport:
        """Listen.

        Raises:
            RuleError: there is no key or place for what is held, or TLS cannot be used.
        """
        del split  # a block is one message, or a batch that its codec takes apart
        if not sealed:
            raise RuleError("keys.quarantine", "held messages need a key to be sealed with")
        return MllpTransport(settings.mllp, settings.workers, _outlet(settings))

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
        _output(settings).refuse_escrow(settings)

    def remembers(self, settings: Settings, *, sealed: bool) -> bool:
        """Say whether what is known of patients outlives a restart.

        Raises:
            RuleError: a file is named, and there is no key to seal it with.
        """
        lasting = settings.mllp.output == "kafka" or settings.files.state is not None
        return lasting and _output(settings).remembers(settings, sealed=sealed)

    def memory_place(self, settings: Settings) -> str:
        """The topic or file."""
        place = _output(settings).memory_place(_named(settings))
        return place.replace("{topic}", settings.mllp.name)

    async def preflight(self, settings: Settings, *, state: bool, create: bool) -> Findings:
        """Look at certificates, and at the output's topics and rights; the listener reads no topic.

        Raises:
            RuleError: the broker does not answer, or TLS cannot be used.
        """
        server_context(settings.mllp.tls)
        named = _named(settings)
        found = await _output(settings).preflight(named, state=state, create=create)
        unread = settings.mllp.name, f"group {named.kafka.consumer_group}"
        wrong = tuple(problem for problem in found.wrong if problem[0] not in unread)
        return replace(found, wrong=wrong)

    def envelopes(self, settings: Settings) -> AsyncIterator[tuple[str, bytes]]:
        """What is held now.

        Raises:
            RuleError: the settings name no quarantine.
        """
        return _output(settings).envelopes(_named(settings))

    def released(self, settings: Settings, ids: Collection[str]) -> Collection[str]:
        """Those that the output is known to have."""
        return _output(settings).released(_named(settings), ids)

    def require_audit(self, settings: Settings) -> None:
        """Refuse settings without a place for audit records.

        Raises:
            RuleError: they name none.
        """
        _output(settings).require_audit(settings)

    async def record(self, settings: Settings, entry: bytes) -> None:
        """Write to the audit of the output.

        Raises:
            RuleError: the settings keep none.
            TransportError: it could not be written.
        """
        await _output(settings).record(_named(settings), entry)

    def recorded(self, settings: Settings) -> AsyncIterator[tuple[Place, bytes]]:
        """The audit records of the output.

        Raises:
            RuleError: the settings keep none.
        """
        return _output(settings).recorded(_named(settings))

    async def quarantine(self, settings: Settings) -> Transport:
        """Read what is held, once.

        Raises:
            RuleError: the settings name no quarantine.
        """
        return await _output(settings).quarantine(_named(settings))


def _output(settings: Settings) -> Backend:
    return OUTPUTS[settings.mllp.output]


def _outlet(settings: Settings) -> Outlet:
    if settings.mllp.output == "kafka":
        return KafkaOutlet(settings.kafka, settings.mllp.name, audit_signer(settings))
    if settings.files.quarantine is None:
        raise RuleError("files.quarantine", "names no folder for held messages")
    files, name = settings.files, settings.mllp.name
    return FilesOutlet(files, settings.files.quarantine, name, audit_signer(settings))


def _named(settings: Settings) -> Settings:
    """The settings with the listener's name as the one input topic."""
    known = settings.known.model_copy(update={"scope": "partition"})
    topics = {"topics": (settings.mllp.name,), "pattern": None}
    kafka = settings.kafka.model_copy(update=topics)
    return settings.model_copy(update={"kafka": kafka, "known": known})
