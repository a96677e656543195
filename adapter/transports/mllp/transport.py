"""The MLLP transport: a listener, its connections, and one lane to files or topics."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import TYPE_CHECKING

from adapter.audit import Event, log
from adapter.http.addresses import is_loopback
from adapter.transports.listener.transport import HANDSHAKE_SECONDS, ListenerTransport
from adapter.transports.mllp.connection import READ, SMALL, Connection

if TYPE_CHECKING:
    from adapter.config.listeners.mllp import Mllp
    from adapter.config.settings import Workers
    from adapter.transports.listener.lane import Outlet

FLUSH_SECONDS = 2.0
KEEPALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}
"""Seconds and probes after which a silently vanished sender counts as lost."""


class MllpTransport(ListenerTransport):
    """Reads messages of many connections, and acknowledges each."""

    def __init__(self, mllp: Mllp, workers: Workers, outlet: Outlet) -> None:
        super().__init__(mllp, "mllp", workers, outlet)
        self.mllp = mllp
        self.large = asyncio.Semaphore(
            max(1, mllp.receive_bytes // max(SMALL, mllp.max_message_bytes))
        )
        self._connections: dict[asyncio.Task[None], Connection] = {}

    async def bound(self) -> asyncio.Server:
        """Return a server bound to the address, which accepts no connections yet.

        Raises:
            OSError: the address cannot be bound.
        """
        if self.tls is None and not is_loopback(self.mllp.host):
            log(Event.PLAIN_LISTENER, "warning")
        return await asyncio.start_server(
            self._accept,
            self.mllp.host,
            self.mllp.port,
            limit=READ,
            ssl=self.tls,
            ssl_handshake_timeout=HANDSHAKE_SECONDS if self.tls else None,
            start_serving=False,
        )

    async def stop(self) -> None:
        """Close all connections after their last answers."""
        self.drain()
        connections = dict(self._connections)
        for task in connections:
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)
        closing = asyncio.gather(*(each.closed() for each in connections.values()))
        with suppress(TimeoutError):
            await asyncio.wait_for(closing, FLUSH_SECONDS)
        await self.outlet.close()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._connections) >= self.mllp.max_connections:
            log(Event.CONNECTION_REFUSED, "warning", code="too-many")
            writer.close()
            return
        with suppress(OSError):  # the socket may be closed already
            _keep_alive(writer.get_extra_info("socket"))
        connection = Connection(self, reader, writer)
        task = asyncio.create_task(connection.run())
        self._connections[task] = connection
        task.add_done_callback(lambda done: self._connections.pop(done, None))


def _keep_alive(connected: socket.socket) -> None:
    connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in KEEPALIVE.items():
        if hasattr(socket, name):  # not on every system
            connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
