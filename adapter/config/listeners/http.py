"""Settings of the http transport."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from adapter.config.listeners.listener import Listener
from adapter.config.section import FilePath  # noqa: TC001 - pydantic reads it
from adapter.http.addresses import is_loopback


class Http(Listener):
    """The HTTP listener: one message per POST."""

    port: int = Field(default=8570, ge=0, le=65_535)
    name: str = Field(default="http", pattern=r"^[A-Za-z0-9_-]{1,100}$")
    path: str = Field(default="/", pattern=r"^/[A-Za-z0-9_./-]{0,200}$")
    """The path that messages are posted to."""
    held: Literal["accept", "reject"] = "accept"
    """Response to a held message: 202 or 422."""
    answer: Literal["status", "message"] = "status"
    """Response to a released message: its status, or the message itself."""
    token_file: FilePath | None = None
    """A file with the bearer token that senders must present; None: no token is required."""
    max_waiting: int = Field(default=64, ge=1, le=10_000)
    """Maximum number of messages arriving or waiting at once; further ones get 503."""
    answer_seconds: float = Field(default=60.0, gt=0)
    """Time limit for the outcome, after which the response is 504."""
    idle_seconds: int = Field(default=30, ge=1)
    """Silence between requests after which a connection is closed."""

    @model_validator(mode="after")
    def _guarded(self) -> Http:
        if self.tls.certfile is None and not is_loopback(self.host):
            raise ValueError("a host beyond loopback needs tls.certfile and tls.keyfile")
        if self.answer == "message" and self.token_file is None and self.tls.cafile is None:
            raise ValueError(
                "answer message needs token_file, or tls.cafile for client certificates"
            )
        if self.receive_bytes < self.max_message_bytes:
            raise ValueError("receive_bytes is less than max_message_bytes")
        return self
