"""Settings of the kafka transport."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field, SecretStr, field_validator, model_validator

from adapter.config.section import MIB, FilePath, Section


class Security(Section):
    """TLS and SASL, passed through to the client."""

    protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    cafile: FilePath | None = None
    certfile: FilePath | None = None
    keyfile: FilePath | None = None
    key_password: SecretStr | None = None
    check_hostname: bool = True
    mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "GSSAPI"] = "PLAIN"
    username: str | None = None
    password: SecretStr | None = None

    @model_validator(mode="after")
    def _complete(self) -> Security:
        sasl = self.protocol.startswith("SASL") and self.mechanism != "GSSAPI"
        if sasl and (self.username is None or self.password is None):
            raise ValueError("SASL needs username and password")
        if (self.certfile is None) != (self.keyfile is None):
            raise ValueError("certfile and keyfile go together")
        return self


TOPIC = re.compile(r"[A-Za-z0-9._-]{1,249}")


def _compiles(pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error:
        raise ValueError("is not a regular expression") from None


class Kafka(Section):
    """Topics, group and guarantees of the kafka transport."""

    bootstrap_servers: str = "localhost:9092"
    app: str = Field(default="deid-adapter", pattern=r"^[A-Za-z0-9._-]{1,100}$")
    """Prefix of transactional ids, and the consumer group unless ``group`` is given."""
    group: str | None = None
    instance: str | None = Field(default=None, pattern=r"^[A-Za-z0-9._-]{1,100}$")
    """Static membership: a name of this process that outlives its restarts, other in each."""
    topics: tuple[str, ...] = ()
    pattern: str | None = None
    """A regular expression of whole topic names, instead of ``topics``; outputs never match."""
    output: str = "{topic}.deid"
    """Name of the output topic; ``{topic}`` is the input's."""
    quarantine: str = "{topic}.quarantine"
    audit: str | None = "deid.audit"
    """Topic of audit records; an empty name turns them off."""
    escrow: str = "{topic}.escrow"
    state: str | None = "{topic}.state"
    """Compacted topic of what is known of patients, with as many partitions as the input, made if
    it is missing; used where ``keys.state`` is set. An empty name turns it off."""
    guarantee: Literal["exactly-once", "at-least-once"] = "exactly-once"
    timestamps: Literal["drop", "keep"] = "drop"
    """Of released records: the broker's time of writing, or the record's own."""
    start: Literal["earliest", "latest"] = "earliest"
    """Where a group without offsets begins."""
    compression: Literal["none", "gzip", "lz4", "snappy", "zstd"] = "none"
    max_message_bytes: int = Field(default=16 * MIB, ge=1024)
    """Largest record read or written; the topics must allow it too."""
    prefetch_bytes: int = Field(default=32 * MIB, ge=1024)
    """Bytes read ahead over all partitions before they pause."""
    session_timeout_ms: int = Field(default=30_000, ge=1_000)
    transaction_timeout_ms: int = Field(default=60_000, ge=1_000)
    security: Security = Security()

    @field_validator("audit", "state")
    @classmethod
    def _empty_is_off(cls, value: str | None) -> str | None:
        return value or None

    @model_validator(mode="after")
    def _topics_make_sense(self) -> Kafka:
        if self.topics and self.pattern is not None:
            raise ValueError("give topics or pattern, not both")
        for name in (*self.topics, *self._outputs("x")):
            if not TOPIC.fullmatch(name):
                raise ValueError("a topic name may have letters, digits, '.', '_' and '-'")
        _compiles(self.pattern or "")
        clash = set(self.topics) & {name for t in self.topics for name in self._outputs(t)}
        if clash:
            raise ValueError("an input topic is also an output")
        used = [n for n in (self.output, self.quarantine, self.escrow, self.audit, self.state) if n]
        if len(set(used)) < len(used):
            raise ValueError("two outputs have one name")
        return self

    def _outputs(self, topic: str) -> tuple[str, ...]:
        names = self.output, self.quarantine, self.escrow, self.audit or "x", self.state or "x"
        return tuple(name.replace("{topic}", topic) for name in names)

    @property
    def consumer_group(self) -> str:
        """The group whose offsets say what is done."""
        return self.group or self.app
