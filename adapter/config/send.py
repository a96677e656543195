"""Settings of `deid-adapter send`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from pydantic import Field, SecretStr, model_validator

from adapter.config.section import FilePath, Section

if TYPE_CHECKING:
    from pathlib import Path


class ReceiverTls(Section):
    """TLS to the receiver."""

    enabled: bool = False
    cafile: FilePath | None = None
    """Trusted authorities (PEM); None: the system's."""
    certfile: FilePath | None = None
    keyfile: FilePath | None = None
    key_password: SecretStr | None = None
    check_hostname: bool = True

    @model_validator(mode="after")
    def _complete(self) -> ReceiverTls:
        if (self.certfile is None) != (self.keyfile is None):
            raise ValueError("set both certfile and keyfile, or neither")
        if not self.enabled and (self.cafile or self.certfile) is not None:
            raise ValueError("cafile and certfile need enabled = true")
        return self


class Send(Section):
    """Sending of released messages to an MLLP receiver."""

    host: str = ""
    """Host of the receiver; empty: there is none."""
    port: int = Field(default=2575, ge=1, le=65_535)
    source: Literal["kafka", "files"] = "kafka"
    """Whether released messages are read from topics or from a folder."""
    name: str = Field(default="send", pattern=r"^[A-Za-z0-9._-]{1,100}$")
    """Suffix of ``kafka.app`` for the consumer group whose offsets record deliveries."""
    topics: tuple[str, ...] = ()
    """Topics of released messages."""
    folder: FilePath | None = None
    """Folder of released messages."""
    position: FilePath = cast("Path", "send.position")
    """File that records deliveries from a folder."""
    answer_seconds: float = Field(default=30.0, gt=0)
    """Time limit of an answer, after which the message is sent again on a new connection."""
    attempts: int = Field(default=5, ge=1)
    """Refusals (AE, AR, CE, CR) of a message after which it is set aside, or sending stops."""
    retry_seconds: float = Field(default=1.0, gt=0)
    """First pause before a message is sent again; it doubles up to a minute."""
    refused: FilePath | None = None
    """Folder for messages that the receiver refuses; None: sending stops at the first."""
    tls: ReceiverTls = ReceiverTls()
