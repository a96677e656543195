"""The Kafka backend: makes the Kafka transport, its dry-run reader and its quarantine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.sealing.key_lookup import audit_signer
from adapter.sealing.verification import Place
from adapter.transports.kafka.access import AccessTopic, record_access
from adapter.transports.kafka.admin import (
    audited,
    in_quarantine,
    quarantine_topics,
    refuse_uneven_topics,
    retry_settings,
)
from adapter.transports.kafka.preflight.findings import Wish, preflight
from adapter.transports.kafka.reading import KafkaReader
from adapter.transports.kafka.transport import KafkaTransport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection

    from adapter.config.kafka import Kafka
    from adapter.config.settings import Settings
    from adapter.transports.backend import AccessLog, Findings, Split
    from adapter.transports.dry_run import Reader
    from adapter.transports.protocol import Transport


class KafkaBackend:
    """Reads and writes topics; held messages and patient memory are in topics too."""

    ends = False
    keeps_originals = False
    broker = True

    def transport(self, settings: Settings, split: Split, *, sealed: bool) -> Transport:
        """Return a transport that consumes the input topics.

        Raises:
            RuleError: there is no input, or no key for held messages.
        """
        del split  # a record is one message, or a batch that its codec splits
        _refuse_no_input(settings)
        if not sealed:
            raise RuleError(
                "keys.quarantine", "is not set; held messages must be sealed with a key"
            )
        return KafkaTransport(
            _kafka(settings),
            settings.workers,
            joined=_shared(settings),
            signer=audit_signer(settings),
        )

    def reader(self, settings: Settings, split: Split, records: int) -> Reader:
        """Return a reader of the newest records of the input topics, in no group.

        Raises:
            RuleError: there is no input.
        """
        del split
        _refuse_no_input(settings)
        return KafkaReader(settings.kafka, settings.workers.batch_records, records)

    def refuse_escrow(self, settings: Settings) -> None:
        """Do nothing: the escrow topic has a default name."""

    def remembers(self, settings: Settings, *, sealed: bool) -> bool:
        """Return whether there are a key and a topic for patient memory."""
        return sealed and settings.kafka.state is not None

    def memory_place(self, settings: Settings) -> str:
        """Return "in TOPIC", and whether all topics share it."""
        whose = ", for all topics together" if _shared(settings) else ""
        return f"in {_kafka(settings).state}{whose}"

    async def preflight(self, settings: Settings, *, state: bool, create: bool) -> Findings:
        """Check topics, rights and certificates.

        Raises:
            RuleError: the broker does not answer, or the topics cannot share a patient memory.
        """
        wish = Wish(settings.escrow.enabled, state, create, joined=_shared(settings))
        found = await preflight(_kafka(settings), wish)
        if _shared(settings) and not found.wrong:
            await refuse_uneven_topics(settings.kafka)
        return found

    def envelopes(self, settings: Settings) -> AsyncIterator[tuple[str, bytes]]:
        """Yield (name, envelope) of the quarantine topics after the last retry."""
        return in_quarantine(settings.kafka)

    def released(self, settings: Settings, ids: Collection[str]) -> Collection[str]:
        """Return none: the output topics are not searched, which would take long."""
        del settings, ids
        return frozenset()

    def require_audit(self, settings: Settings) -> None:
        """Refuse settings without an audit topic.

        Raises:
            RuleError: the settings name no topic.
        """
        if settings.kafka.audit is None:
            raise RuleError("kafka.audit", "is not set; this command must be recorded in the audit")

    async def record(self, settings: Settings, entry: bytes) -> None:
        """Write to the audit topic, in a transaction of its own.

        Raises:
            RuleError: the settings name no topic.
            TransportError: the record could not be written.
        """
        self.require_audit(settings)
        await record_access(settings.kafka, audit_signer(settings), entry)

    def access_log(self, settings: Settings, name: str) -> AccessLog:
        """Return a log that writes each record in a transaction, with one producer for all.

        Raises:
            RuleError: the settings name no topic.
        """
        self.require_audit(settings)
        kafka = settings.kafka
        return AccessTopic(kafka, audit_signer(settings), f"{kafka.app}-{name}")

    async def recorded(self, settings: Settings) -> AsyncIterator[tuple[Place, bytes]]:
        """Yield (place, record) of the committed audit records, partition by partition.

        Raises:
            RuleError: the settings name no topic.
        """
        self.require_audit(settings)
        async for topic, partition, offset, value in audited(settings.kafka):
            yield Place(f"{topic}/{partition}", offset), value

    async def quarantine(self, settings: Settings) -> Transport:
        """Return a transport that consumes the quarantine topics up to their current end."""
        topics = await quarantine_topics(settings.kafka)
        kafka = retry_settings(_kafka(settings), topics)
        origin = settings.kafka.quarantine
        return KafkaTransport(
            kafka, settings.workers, to_end=True, origin=origin, signer=audit_signer(settings)
        )


def _refuse_no_input(settings: Settings) -> None:
    if not settings.kafka.topics and settings.kafka.pattern is None:
        raise RuleError("kafka.topics", "is empty, and kafka.pattern is not set; set one of them")


def _shared(settings: Settings) -> bool:
    return settings.known.scope == "domain"


def _kafka(settings: Settings) -> Kafka:
    """Return the Kafka settings, with one state topic if all input topics share a memory."""
    kafka = settings.kafka
    if not _shared(settings) or kafka.state is None:
        return kafka
    state = kafka.state.replace("{topic}", kafka.app)
    return kafka.model_copy(update={"state": state})
