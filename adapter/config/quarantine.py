"""Settings of how often a message is tried before it is held, and after."""

from __future__ import annotations

from pydantic import Field

from adapter.config.section import Section


class Quarantine(Section):
    """What happens to held records."""

    max_attempts: int = Field(default=5, ge=1)
    """Retries after which a held record is left alone, unless it is named."""
    transient_retries: int = Field(default=2, ge=0, le=10)
    """Further attempts before a message is held whose failure may pass, such as a vault that does
    not answer; after pauses of one second, two, four ..."""
