"""The HTTP backend: makes the HTTP transport."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.transports.http.layout import apart
from adapter.transports.listener.backend import ListenerBackend

if TYPE_CHECKING:
    from adapter.config.listeners.http import Http
    from adapter.config.settings import Settings
    from adapter.transports.listener.lane import Outlet
    from adapter.transports.protocol import Transport


class HttpBackend(ListenerBackend):
    """Reads from an HTTP listener; writes to topics or a folder."""

    place = "http"
    layout = staticmethod(apart)

    def listener(self, settings: Settings) -> Http:
        """Return the settings of the HTTP listener."""
        return settings.http

    def listening(self, settings: Settings, outlet: Outlet) -> Transport:
        """Return the HTTP transport.

        Raises:
            RuleError: the extra "http" is not installed, or TLS or the token cannot be used.
        """
        try:
            from adapter.transports.http.transport import HttpTransport  # noqa: PLC0415 - an extra
        except ImportError:
            raise RuleError("transport", "http needs the extra 'http'") from None
        return HttpTransport(settings.http, settings.workers, outlet)
