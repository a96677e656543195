"""Settings that all listeners share."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, SecretStr, model_validator

from adapter.config.section import MIB, FilePath, Section


class ListenerTls(Section):
    """TLS of a listener; without a certificate it speaks in the clear."""

    certfile: FilePath | None = None
    """The listener's certificate and those that lead to its authority (PEM)."""
    keyfile: FilePath | None = None
    key_password: SecretStr | None = None
    cafile: FilePath | None = None
    """Authorities of senders' certificates; with it, a sender without one is refused."""

    @model_validator(mode="after")
    def _complete(self) -> ListenerTls:
        if (self.certfile is None) != (self.keyfile is None):
            raise ValueError("certfile and keyfile go together")
        if self.cafile is not None and self.certfile is None:
            raise ValueError("cafile needs certfile and keyfile")
        return self


class Listener(Section):
    """A port that messages come in at, and where their outcomes go."""

    host: str = "127.0.0.1"
    port: int = Field(default=0, ge=0, le=65_535)
    name: str = Field(default="listener", pattern=r"^[A-Za-z0-9_-]{1,100}$")
    """Stands for the input topic in the names of outputs and in audit records."""
    output: Literal["kafka", "files"] = "kafka"
    """Whether ``kafka.*`` or ``files.*`` says where outcomes go."""
    max_connections: int = Field(default=100, ge=1, le=10_000)
    max_message_bytes: int = Field(default=16 * MIB, ge=1024)
    """A longer message is refused."""
    receive_bytes: int = Field(default=64 * MIB, ge=1024)
    """Memory for messages while they arrive and wait."""
    message_seconds: float = Field(default=60.0, gt=0)
    """Time from the first byte of a message to its last."""
    tls: ListenerTls = ListenerTls()
