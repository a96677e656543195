"""MLLP as the program's transport."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.transports.listener.backend import ListenerBackend
from adapter.transports.mllp.blocks import blocks
from adapter.transports.mllp.transport import MllpTransport

if TYPE_CHECKING:
    from adapter.config.listeners.mllp import Mllp
    from adapter.config.settings import Settings
    from adapter.transports.listener.lane import Outlet


class MllpBackend(ListenerBackend):
    """An MLLP listener in; topics or a folder out."""

    place = "mllp"
    layout = staticmethod(blocks)

    def listener(self, settings: Settings) -> Mllp:
        """Return its settings."""
        return settings.mllp

    def listening(self, settings: Settings, outlet: Outlet) -> MllpTransport:
        """Return the listener.

        Raises:
            RuleError: its TLS cannot be used.
        """
        return MllpTransport(settings.mllp, settings.workers, outlet)
