"""Settings of attempts at a message before and after it is held."""

from __future__ import annotations

from pydantic import Field

from adapter.config.section import Section


class Quarantine(Section):
    """Attempts at messages that fail."""

    max_attempts: int = Field(default=5, ge=1)
    """Attempts after which a held record is not retried unless it is named."""
    transient_retries: int = Field(default=2, ge=0, le=10)
    """Further attempts at a message with a temporary failure, such as a vault that does not answer,
    before it is held; after pauses of one second, two, four ..."""
