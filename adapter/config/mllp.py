"""Settings of the mllp transport."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, SecretStr, model_validator

from adapter.config.section import MIB, FilePath, Section


class ListenerTls(Section):
    """TLS of the listener; without a certificate it uses plain TCP."""

    certfile: FilePath | None = None
    """The listener's certificate and its chain (PEM)."""
    keyfile: FilePath | None = None
    key_password: SecretStr | None = None
    cafile: FilePath | None = None
    """Authorities of senders' certificates (PEM); if set, senders must have a certificate."""

    @model_validator(mode="after")
    def _complete(self) -> ListenerTls:
        if (self.certfile is None) != (self.keyfile is None):
            raise ValueError("certfile and keyfile go together")
        if self.cafile is not None and self.certfile is None:
            raise ValueError("cafile needs certfile and keyfile")
        return self


class Mllp(Section):
    """The listener, and the destination of its messages."""

    host: str = "127.0.0.1"
    port: int = Field(default=2575, ge=0, le=65_535)
    name: str = Field(default="mllp", pattern=r"^[A-Za-z0-9_-]{1,100}$")
    """Used as the input topic in names of outputs and in audit records."""
    output: Literal["kafka", "files"] = "kafka"
    """Whether outcomes are written as ``kafka.*`` or as ``files.*`` says."""
    held: Literal["accept", "error", "reject"] = "accept"
    """Acknowledgement of a held message: AA, AE or AR."""
    application: str = Field(default="DEID", pattern=r"^[A-Za-z0-9 _.-]{0,180}$")
    """MSH-3 of acknowledgements."""
    facility: str = Field(default="", pattern=r"^[A-Za-z0-9 _.-]{0,180}$")
    """MSH-4 of acknowledgements."""
    max_connections: int = Field(default=100, ge=1, le=10_000)
    max_message_bytes: int = Field(default=16 * MIB, ge=1024)
    """A longer message is rejected (AR)."""
    receive_bytes: int = Field(default=64 * MIB, ge=1024)
    """Bytes of memory for messages of more than 256 KiB while they arrive and wait."""
    message_seconds: float = Field(default=60.0, gt=0)
    """Time limit from the first byte of a message to its last."""
    idle_seconds: float = Field(default=0.0, ge=0)
    """Silence between messages after which a connection is closed; 0: never."""
    tls: ListenerTls = ListenerTls()
