"""Settings of the mllp transport."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from adapter.config.listeners.listener import Listener


class Mllp(Listener):
    """The MLLP listener; only messages of more than 256 KiB count towards ``receive_bytes``."""

    port: int = Field(default=2575, ge=0, le=65_535)
    name: str = Field(default="mllp", pattern=r"^[A-Za-z0-9_-]{1,100}$")
    held: Literal["accept", "error", "reject"] = "accept"
    """Acknowledgement of a held message: AA, AE or AR."""
    application: str = Field(default="DEID", pattern=r"^[A-Za-z0-9 _.-]{0,180}$")
    """MSH-3 of acknowledgements."""
    facility: str = Field(default="", pattern=r"^[A-Za-z0-9 _.-]{0,180}$")
    """MSH-4 of acknowledgements."""
    idle_seconds: float = Field(default=0.0, ge=0)
    """Silence between messages after which a connection is closed; 0: never."""
