"""The HTTP transport: a listener, its connections, and one lane to files or topics."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from uvicorn import Config
from uvicorn.server import ServerState

from adapter.transports.http.app import App
from adapter.transports.http.connection import Connection
from adapter.transports.listener.transport import HANDSHAKE_SECONDS, ListenerTransport

if TYPE_CHECKING:
    from adapter.config.listeners.http import Http
    from adapter.config.settings import Workers
    from adapter.transports.listener.lane import Outlet

FLUSH_SECONDS = 2.0
HEAD_BYTES = 16 * 1024
"""Maximum number of bytes of a request's head."""


class HttpTransport(ListenerTransport):
    """Reads one message per request, and answers each."""

    def __init__(self, http: Http, workers: Workers, outlet: Outlet) -> None:
        """Configure the listener by its settings.

        Raises:
            RuleError: TLS or the token cannot be used.
        """
        super().__init__(http, "http", workers, outlet)
        self.http = http
        self.app = App(http, self.take)
        self._state = ServerState()
        self._config = Config(
            self.app,
            http=Connection,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=http.idle_seconds,
            h11_max_incomplete_event_size=HEAD_BYTES,
        )

    async def bound(self) -> asyncio.Server:
        """Return a server bound to the address, which accepts no connections yet.

        Raises:
            OSError: the address cannot be bound.
        """
        return await asyncio.get_running_loop().create_server(
            lambda: Connection(self._config, self._state, self.http.max_connections),
            self.http.host,
            self.http.port,
            ssl=self.tls,
            ssl_handshake_timeout=HANDSHAKE_SECONDS if self.tls else None,
            start_serving=False,
        )

    async def stop(self) -> None:
        """Close all connections after their last responses."""
        self.drain()
        for connection in tuple(self._state.connections):
            if not connection.transport.is_closing():
                connection.shutdown()
        if tasks := tuple(self._state.tasks):
            _, late = await asyncio.wait(tasks, timeout=FLUSH_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)
        for connection in tuple(self._state.connections):
            connection.transport.close()
        await self.outlet.close()
