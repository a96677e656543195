"""All transports by their name in the settings; to add one, add a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.transports.files.backend import FilesBackend
from adapter.transports.http.backend import HttpBackend
from adapter.transports.kafka.backend import KafkaBackend
from adapter.transports.memory.backend import MemoryBackend
from adapter.transports.mllp.backend import MllpBackend

if TYPE_CHECKING:
    from adapter.config.settings import Settings
    from adapter.transports.backend import Backend

TRANSPORTS: dict[str, Backend] = {
    "kafka": KafkaBackend(),
    "files": FilesBackend(),
    "memory": MemoryBackend(),
    "mllp": MllpBackend(),
    "http": HttpBackend(),
}
"""Name in the settings -> backend."""


def backend(settings: Settings) -> Backend:
    """Return the backend that the settings name.

    Raises:
        RuleError: there is no backend of that name.
    """
    if settings.transport not in TRANSPORTS:
        raise RuleError("transport", f"must be one of {', '.join(TRANSPORTS)}")
    return TRANSPORTS[settings.transport]
