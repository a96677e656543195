"""Converts settings to the arguments of aiokafka's clients."""

from __future__ import annotations

import re
import ssl
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.transports.kafka.tokens import tokens_of

if TYPE_CHECKING:
    from pathlib import Path

    from adapter.config.kafka import Kafka, Security

KIB = 1024
MIB = 1024 * KIB
ENVELOPE_BYTES = 64 * KIB
"""Bytes allowed beyond the largest message for keys, headers and a seal's clear fields."""


def connection(kafka: Kafka) -> dict[str, Any]:
    """Return the options of the connection: address and credentials."""
    security = kafka.security
    options: dict[str, Any] = {
        "bootstrap_servers": kafka.bootstrap_servers,
        "security_protocol": security.protocol,
        "retry_backoff_ms": 100,
    }
    if security.protocol.endswith("SSL"):
        options["ssl_context"] = ssl_context(security)
    if security.protocol.startswith("SASL"):
        options["sasl_mechanism"] = security.mechanism
        options["sasl_plain_username"] = security.username
        password = security.password
        options["sasl_plain_password"] = password.get_secret_value() if password else None
        if security.mechanism == "OAUTHBEARER":
            options["sasl_oauth_token_provider"] = tokens_of(security.oauth)
    return options


def ssl_context(security: Security) -> ssl.SSLContext:
    """Return a client context; without ``cafile`` the system's authorities are trusted.

    Raises:
        RuleError: a file cannot be read, or has the wrong content.
    """
    try:
        context = ssl.create_default_context(cafile=security.cafile)
    except (OSError, ValueError) as error:
        raise _unusable("cafile", error, security.cafile) from None
    context.check_hostname = security.check_hostname
    if security.certfile is not None:
        password = security.key_password
        secret = password.get_secret_value() if password else None
        try:
            context.load_cert_chain(security.certfile, security.keyfile, secret)
        except (OSError, ValueError) as error:
            raise _unusable("certfile", error, security.certfile, security.keyfile) from None
    return context


def _unusable(setting: str, error: Exception, *files: Path | None) -> RuleError:
    named = " with ".join(str(file) for file in files if file is not None)
    return RuleError(
        f"kafka.security.{setting}", f"{named} cannot be used ({type(error).__name__})"
    )


def consumer_options(kafka: Kafka) -> dict[str, Any]:
    """Return options for explicit offsets, committed records only, and no poll time limit.

    Heartbeats show that the process lives; the workers' time limit bounds the time of a record. A
    partition whose offset has been deleted continues at the earliest one that is left.
    """
    return connection(kafka) | {
        "group_id": kafka.consumer_group,
        "group_instance_id": kafka.instance,
        "client_id": kafka.app,
        "enable_auto_commit": False,
        "auto_offset_reset": "earliest",
        "isolation_level": "read_committed",
        "fetch_max_bytes": kafka.prefetch_bytes,
        "max_partition_fetch_bytes": min(kafka.prefetch_bytes, MIB),
        "session_timeout_ms": kafka.session_timeout_ms,
        "heartbeat_interval_ms": max(100, min(3_000, kafka.session_timeout_ms // 5)),
        "max_poll_interval_ms": 7 * 24 * 3_600_000,
        "rebalance_timeout_ms": max(60_000, kafka.session_timeout_ms),
    }


def producer_options(kafka: Kafka, transactional_id: str | None) -> dict[str, Any]:
    """Return options for idempotent writes in large batches, acknowledged by all replicas.

    One produce request is in flight per node, so aiokafka's default batches of 16 KiB would limit
    the rate; KIP-98 defines the guarantees of idempotence and of the transactional id.
    """
    options = connection(kafka) | {
        "client_id": kafka.app,
        "acks": "all",
        "enable_idempotence": True,
        "max_batch_size": 256 * KIB,
        "linger_ms": 5,
        "max_request_size": kafka.max_message_bytes + ENVELOPE_BYTES,
        "compression_type": None if kafka.compression == "none" else kafka.compression,
    }
    if transactional_id is not None:
        options["transactional_id"] = transactional_id
        options["transaction_timeout_ms"] = kafka.transaction_timeout_ms
    return options


def input_pattern(kafka: Kafka) -> str:
    """Return the input pattern for whole names, excluding all topics that the adapter writes."""
    outputs = kafka.output, kafka.quarantine, kafka.audit, kafka.state, kafka.escrow
    names = [name for name in (*outputs, *kafka.outputs.values()) if name]
    own = "|".join(".+".join(re.escape(part) for part in n.split("{topic}")) for n in names)
    return f"(?!(?:{own})$)(?:{kafka.pattern})$"
