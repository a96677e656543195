"""Settings that all listeners share."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, SecretStr, model_validator

from adapter.config.section import MIB, FilePath, Section


class ListenerTls(Section):
    """TLS of a listener; without a certificate it uses plain TCP."""

    certfile: FilePath | None = None
    """The listener's certificate and its chain (PEM)."""
    keyfile: FilePath | None = None
    key_password: SecretStr | None = None
    cafile: FilePath | None = None
    """Authorities of senders' certificates (PEM); if set, senders must have a certificate."""

    @model_validator(mode="after")
    def _complete(self) -> ListenerTls:
        if (self.certfile is None) != (self.keyfile is None):
            raise ValueError("set both certfile and keyfile, or neither")
        if self.cafile is not None and self.certfile is None:
            raise ValueError("cafile needs certfile and keyfile")
        return self


class Listener(Section):
    """A port for incoming messages, and the destination of their outcomes."""

    host: str = "127.0.0.1"
    port: int = Field(default=0, ge=0, le=65_535)
    name: str = Field(default="listener", pattern=r"^[A-Za-z0-9_-]{1,100}$")
    """Used as the input topic in names of outputs and in audit records."""
    output: Literal["kafka", "files"] = "kafka"
    """Whether outcomes are written as ``kafka.*`` or as ``files.*`` says."""
    max_connections: int = Field(default=100, ge=1, le=10_000)
    max_message_bytes: int = Field(default=16 * MIB, ge=1024)
    """Longer messages are refused."""
    receive_bytes: int = Field(default=64 * MIB, ge=1024)
    """Bytes of memory for messages while they arrive and wait."""
    message_seconds: float = Field(default=60.0, gt=0)
    """Time limit from the first byte of a message to its last."""
    tls: ListenerTls = ListenerTls()
