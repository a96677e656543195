"""Settings of the kafka transport."""

from __future__ import annotations

import re
from typing import Literal

from pydantic import Field, SecretStr, field_validator, model_validator

from adapter.config.section import MIB, FilePath, Section
from adapter.http.addresses import in_clear


class OAuth(Section):
    """A bearer token for SASL OAUTHBEARER, from an endpoint, a file kept current, or a command."""

    token_url: str = Field(default="", pattern=r"^(|https?://[^\s#@]+)$")
    """The token endpoint of an OAuth 2.0 server (RFC 6749, section 4.4: client credentials)."""
    client_id: str | None = None
    client_secret: SecretStr | None = None
    scope: str | None = None
    cafile: FilePath | None = None
    """Trusted authorities of the token endpoint (PEM); None: the system's."""
    token_file: FilePath | None = None
    """A file with the token, read for each connection."""
    command: tuple[str, ...] = ()
    """A program and its arguments that prints the token, plain or as JSON."""
    extensions: dict[str, str] = Field(default={})
    """SASL extensions sent with the token (RFC 7628), such as ``logicalCluster``."""
    timeout_seconds: float = Field(default=10.0, gt=0, le=120)

    @model_validator(mode="after")
    def _complete(self) -> OAuth:
        if sum(map(bool, (self.token_url, self.token_file, self.command))) > 1:
            raise ValueError("set only one of token_url, token_file, command")
        if self.token_url and (self.client_id is None or self.client_secret is None):
            raise ValueError("token_url needs client_id and client_secret")
        if in_clear(self.token_url):
            raise ValueError("credentials are sent only to an https:// address or to this machine")
        return self

    @property
    def named(self) -> bool:
        """Whether a source of tokens is set."""
        return bool(self.token_url or self.token_file or self.command)


class Security(Section):
    """TLS and SASL options, passed to the client."""

    protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    cafile: FilePath | None = None
    certfile: FilePath | None = None
    keyfile: FilePath | None = None
    key_password: SecretStr | None = None
    check_hostname: bool = True
    mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512", "GSSAPI", "OAUTHBEARER"] = "PLAIN"
    username: str | None = None
    password: SecretStr | None = None
    oauth: OAuth = OAuth()

    @model_validator(mode="after")
    def _complete(self) -> Security:
        sasl = self.mechanism if self.protocol.startswith("SASL") else ""
        named = self.username is not None and self.password is not None
        if sasl not in {"", "GSSAPI", "OAUTHBEARER"} and not named:
            raise ValueError("SASL needs username and password")
        if sasl == "OAUTHBEARER" and not self.oauth.named:
            raise ValueError("OAUTHBEARER needs one of oauth.token_url, token_file, command")
        if (self.certfile is None) != (self.keyfile is None):
            raise ValueError("set both certfile and keyfile, or neither")
        return self


TOPIC = re.compile(r"[A-Za-z0-9._-]{1,249}")
_SERVER = re.compile(r"(?:[^\s,:/\[\]]+|\[[0-9A-Fa-f:.%a-z]+\])(?::([0-9]{1,5}))?")
_LAST_PORT = 65_535


def _compiles(pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error:
        raise ValueError("pattern is not a regular expression") from None


class Kafka(Section):
    """Topics, group and guarantees of the kafka transport."""

    bootstrap_servers: str = "localhost:9092"
    app: str = Field(default="deid-adapter", pattern=r"^[A-Za-z0-9._-]{1,100}$")
    """Prefix of transactional ids, and the consumer group unless ``group`` is given."""
    group: str | None = None
    instance: str | None = Field(default=None, pattern=r"^[A-Za-z0-9._-]{1,100}$")
    """Static membership: a name of this process, unique and the same after a restart."""
    topics: tuple[str, ...] = ()
    pattern: str | None = None
    """A regular expression of whole topic names, instead of ``topics``; never matches outputs."""
    output: str = "{topic}.deid"
    """Name of the output topic; ``{topic}`` is the input's name."""
    outputs: dict[str, str] = Field(default={})
    """Input topic -> its output topic, where it differs from ``output``."""
    quarantine: str = "{topic}.quarantine"
    audit: str | None = "deid.audit"
    """Topic of audit records; an empty name turns audit off."""
    escrow: str = "{topic}.escrow"
    state: str | None = "{topic}.state"
    """Compacted topic of patient memory with as many partitions as the input, created if missing;
    used if ``keys.state`` is set. An empty name turns it off."""
    guarantee: Literal["exactly-once", "at-least-once"] = "exactly-once"
    timestamps: Literal["drop", "keep"] = "drop"
    """Timestamp of released records: "drop": the time of writing; "keep": the record's own."""
    start: Literal["earliest", "latest"] = "earliest"
    """The end of the input at which a group without offsets starts."""
    compression: Literal["none", "gzip", "lz4", "snappy", "zstd"] = "none"
    max_message_bytes: int = Field(default=16 * MIB, ge=1024)
    """Bytes of the largest record read or written; the topics must allow it too."""
    prefetch_bytes: int = Field(default=32 * MIB, ge=1024)
    """Bytes read ahead over all partitions before reading pauses."""
    session_timeout_ms: int = Field(default=30_000, ge=1_000)
    transaction_timeout_ms: int = Field(default=60_000, ge=1_000)
    security: Security = Security()

    @field_validator("bootstrap_servers")
    @classmethod
    def _servers_have_ports(cls, value: str) -> str:
        for server in value.split(","):
            found = _SERVER.fullmatch(server.strip())
            if found is None or not 0 < int(found[1] or 1) <= _LAST_PORT:
                raise ValueError("must be HOST:PORT, or several separated by commas")
        return value

    @field_validator("audit", "state")
    @classmethod
    def _empty_is_off(cls, value: str | None) -> str | None:
        return value or None

    @model_validator(mode="after")
    def _topics_make_sense(self) -> Kafka:
        if self.topics and self.pattern is not None:
            raise ValueError("set topics or pattern, not both")
        self._refuse_names()
        _compiles(self.pattern or "")
        released = [self.released_to(topic) for topic in (*self.topics, *self.outputs)]
        clash = {name for t in self.topics for name in self._outputs(t)} | set(released)
        if clash & {*self.topics, *self.outputs}:
            raise ValueError("an input topic is also an output")
        if any(map(self._is_beside, self.outputs.values())):
            raise ValueError("an output has the name of a quarantine, audit, escrow or state topic")
        used = [n for n in (self.output, self.quarantine, self.escrow, self.audit, self.state) if n]
        if len(set(used)) < len(used):
            raise ValueError("two outputs have the same name")
        return self

    def _refuse_names(self) -> None:
        """Refuse names that no topic can have, and an input that is listed twice."""
        beside = ("output", "quarantine", "audit", "escrow", "state")
        said: dict[str, tuple[str, ...]] = {
            "topics": self.topics,
            "outputs": (*self.outputs, *self.outputs.values()),
        }
        for name in beside:
            template = getattr(self, name) or "x"
            said[name] = tuple(template.replace("{topic}", t) for t in ("x", *self.topics))
        for setting, names in said.items():
            if not all(map(TOPIC.fullmatch, names)):
                raise ValueError(
                    f"{setting}: a topic name may only have letters, digits, '.', '_' and '-'"
                )
        if len(set(self.topics)) < len(self.topics):
            raise ValueError("topics: the same topic is listed twice")

    def _outputs(self, topic: str) -> tuple[str, ...]:
        names = self.output, self.quarantine, self.escrow, self.audit or "x", self.state or "x"
        return tuple(name.replace("{topic}", topic) for name in names)

    def _is_beside(self, name: str) -> bool:
        """Whether a topic could be a quarantine, audit, escrow or state topic of any input."""
        beside = [n for n in (self.quarantine, self.audit, self.escrow, self.state) if n]
        parts = (map(re.escape, each.split("{topic}")) for each in beside)
        return any(re.fullmatch(TOPIC.pattern.join(each), name) for each in parts)

    def released_to(self, topic: str) -> str:
        """Return the output topic of an input topic."""
        return self.outputs.get(topic) or self.output.replace("{topic}", topic)

    @property
    def consumer_group(self) -> str:
        """The consumer group whose offsets record the progress."""
        return self.group or self.app
