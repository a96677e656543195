"""Settings of the mllp transport."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, SecretStr, model_validator

from adapter.config.section import MIB, FilePath, Section


class ListenerTls(Section):
    """TLS of the listener; without a certificate it speaks plain TCP."""

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


class Mllp(Section):
    """The listener, and where its messages go."""

    host: str = "127.0.0.1"
    port: int = Field(default=2575, ge=0, le=65_535)
    name: str = Field(default="mllp", pattern=r"^[A-Za-z0-9_-]{1,100}$")
    """Stands for the input topic in the names of outputs and in audit records."""
    output: Literal["kafka", "files"] = "kafka"
    """Whether ``kafka.*`` or ``files.*`` says where outcomes go."""
    held: Literal["accept", "error", "reject"] = "accept"
    """What the sender of a held message is told: AA, AE or AR."""
    application: str = Field(default="DEID", pattern=r"^[A-Za-z0-9 _.-]{0,180}$")
    """MSH-3 of acknowledgements."""
    facility: str = Field(default="", pattern=r"^[A-Za-z0-9 _.-]{0,180}$")
    """MSH-4 of acknowledgements."""
    max_connections: int = Field(default=100, ge=1, le=10_000)
    max_message_bytes: int = Field(default=16 * MIB, ge=1024)
    """Of a longer message only the answer AR is made."""
    receive_bytes: int = Field(default=64 * MIB, ge=1024)
    """Memory for messages of more than 256 KiB while they arrive and wait."""
    message_seconds: float = Field(default=60.0, gt=0)
    """Time from the first byte of a message to its last."""
    idle_seconds: float = Field(default=0.0, ge=0)
    """Silence between messages after which a connection is closed; 0: never."""
    tls: ListenerTls = ListenerTls()
