"""Kafka as the program's transport: what it needs, where it keeps things, its quarantine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.transports.kafka.admin import (
    in_quarantine,
    missing_topics,
    quarantine_topics,
    refuse_uneven_topics,
    retry_settings,
)
from adapter.transports.kafka.transport import KafkaTransport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from adapter.config.kafka import Kafka
    from adapter.config.settings import Settings
    from adapter.transports.backend import Split
    from adapter.transports.protocol import Transport


class KafkaBackend:
    """Topics in, topics out; what is held and remembered lies in topics too."""

    ends = False
    keeps_originals = False
    broker = True

    def transport(self, settings: Settings, split: Split, *, sealed: bool) -> Transport:
        """Consume the input topics.

        Raises:
            RuleError: there is no input, or no key for what is held.
        """
        del split  # a record is one message, or a batch that its codec takes apart
        if not settings.kafka.topics and settings.kafka.pattern is None:
            raise RuleError("kafka.topics", "names no input topic, and kafka.pattern neither")
        if not sealed:
            raise RuleError("keys.quarantine", "held messages need a key to be sealed with")
        return KafkaTransport(_kafka(settings), settings.workers, joined=_shared(settings))

    def refuse_escrow(self, settings: Settings) -> None:
        """Nothing to refuse: the topic has a name by default."""

    def remembers(self, settings: Settings, *, sealed: bool) -> bool:
        """Say whether there are a key and a topic to keep what is known in."""
        return sealed and settings.kafka.state is not None

    def memory_place(self, settings: Settings) -> str:
        """The compacted topic, and who shares it."""
        whose = ", for all topics together" if _shared(settings) else ""
        return f"in {_kafka(settings).state}{whose}"

    async def missing(self, settings: Settings) -> tuple[str, ...]:
        """The topics that the broker does not have.

        Raises:
            RuleError: the broker does not answer, or topics cannot share a memory.
        """
        missing = await missing_topics(settings.kafka, escrow=settings.escrow.enabled)
        if _shared(settings) and not missing:
            await refuse_uneven_topics(settings.kafka)
        return missing

    def envelopes(self, settings: Settings) -> AsyncIterator[tuple[str, bytes]]:
        """What lies in the quarantine's topics after the last retry."""
        return in_quarantine(settings.kafka)

    async def quarantine(self, settings: Settings) -> Transport:
        """Consume the quarantine's topics to their present end."""
        topics = await quarantine_topics(settings.kafka)
        kafka = retry_settings(_kafka(settings), topics)
        origin = settings.kafka.quarantine
        return KafkaTransport(kafka, settings.workers, to_end=True, origin=origin)


def _shared(settings: Settings) -> bool:
    return settings.known.scope == "domain"


def _kafka(settings: Settings) -> Kafka:
    """The settings, with one topic of state where all input topics share a memory."""
    kafka = settings.kafka
    if not _shared(settings) or kafka.state is None:
        return kafka
    state = kafka.state.replace("{topic}", kafka.app)
    return kafka.model_copy(update={"state": state})
