"""The MLLP backend: makes the MLLP transport."""

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
    """Reads from an MLLP listener; writes to topics or a folder."""

    place = "mllp"
    layout = staticmethod(blocks)

    def listener(self, settings: Settings) -> Mllp:
        """Return the settings of the MLLP listener."""
        return settings.mllp

    def listening(self, settings: Settings, outlet: Outlet) -> MllpTransport:
        """Return the MLLP transport.

        Raises:
            RuleError: TLS cannot be used.
        """
        return MllpTransport(settings.mllp, settings.workers, outlet)
