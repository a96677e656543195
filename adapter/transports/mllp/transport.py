"""The MLLP transport: a listener, its connections, and one lane to files or topics."""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
from contextlib import suppress
from typing import TYPE_CHECKING

from adapter.audit import Event, log
from adapter.errors import RuleError
from adapter.transports.mllp.connection import READ, SMALL, Connection
from adapter.transports.mllp.lane import MllpLane

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from adapter.config.mllp import ListenerTls, Mllp
    from adapter.config.settings import Workers
    from adapter.transports.mllp.connection import Arrival
    from adapter.transports.mllp.lane import Outlet

HANDSHAKE_SECONDS = 10.0
FLUSH_SECONDS = 2.0
KEEPALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 15, "TCP_KEEPCNT": 4}
"""Seconds and probes after which a sender that is gone without a word is taken for lost."""
_LOCAL = frozenset({"127.0.0.1", "::1", "localhost"})


class MllpTransport:
    """Listens, and gives out what arrives as the records of one lane."""

    one_feed = False
    lasting_positions = False

    def __init__(self, mllp: Mllp, workers: Workers, outlet: Outlet) -> None:
        self.mllp = mllp
        self.large = asyncio.Semaphore(
            max(1, mllp.receive_bytes // max(SMALL, mllp.max_message_bytes))
        )
        self._tls = server_context(mllp.tls)
        self._outlet = outlet
        self._lane = MllpLane(self, workers, outlet)
        self._connections: dict[asyncio.Task[None], Connection] = {}
        self._server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        """The port that is listened on; 0 before the start."""
        sockets = self._server.sockets if self._server else ()
        return int(sockets[0].getsockname()[1]) if sockets else 0

    async def start(self) -> None:
        """Take the address; senders are let in once outcomes can go somewhere.

        Raises:
            RuleError: the address cannot be listened on.
        """
        if self._tls is None and self.mllp.host not in _LOCAL:
            log(Event.PLAIN_LISTENER, "warning")
        try:
            self._server = await asyncio.start_server(
                self._accept,
                self.mllp.host,
                self.mllp.port,
                limit=READ,
                ssl=self._tls,
                ssl_handshake_timeout=HANDSHAKE_SECONDS if self._tls else None,
                start_serving=False,
            )
        except OSError as error:
            why = os.strerror(error.errno or 0) if error.errno else type(error).__name__
            raise RuleError("mllp.host", f"cannot be listened on with mllp.port: {why}") from None

    async def listen(self) -> None:
        """Let senders in."""
        if self._server is not None:
            await self._server.start_serving()
            log(Event.LISTENING, port=self.port)

    async def lanes(self) -> AsyncIterator[MllpLane]:
        """The one lane."""
        yield self._lane

    def drain(self) -> None:
        """Listen no more; what is not given out stays with its senders, unanswered."""
        if self._server is not None:
            self._server.close()
        self._lane.end()

    async def stop(self) -> None:
        """Close all connections behind their last answers."""
        self.drain()
        connections = dict(self._connections)
        for task in connections:
            task.cancel()
        await asyncio.gather(*connections, return_exceptions=True)
        closing = asyncio.gather(*(each.closed() for each in connections.values()))
        with suppress(TimeoutError):
            await asyncio.wait_for(closing, FLUSH_SECONDS)
        await self._outlet.close()

    def public(self, topic: str) -> str:
        """The listener's name: it is the operator's own."""
        return topic

    def lag(self) -> dict[str, int]:
        """Messages that wait."""
        return {self.mllp.name: self._lane.waiting()}

    def lacking(self) -> tuple[str, ...]:
        """A lane, until senders are let in; failures of the outlet are the lane's."""
        return () if self._server is not None and self._server.is_serving() else ("lanes",)

    def take(self, arrival: Arrival) -> None:
        """Hand a message to the lane."""
        self._lane.take(arrival)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._connections) >= self.mllp.max_connections:
            log(Event.CONNECTION_REFUSED, "warning", code="too-many")
            writer.close()
            return
        with suppress(OSError):  # it may be gone already
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


def server_context(tls: ListenerTls) -> ssl.SSLContext | None:
    """Return the listener's TLS context, of version 1.2 or later; None for plain TCP.

    Raises:
        RuleError: a file cannot be read, or is not what it should be.
    """
    if tls.certfile is None:
        return None
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    password = tls.key_password.get_secret_value() if tls.key_password else ""
    try:
        context.load_cert_chain(tls.certfile, tls.keyfile, lambda: password)
        if tls.cafile is not None:
            context.load_verify_locations(tls.cafile)
            context.verify_mode = ssl.CERT_REQUIRED
    except (OSError, ValueError) as error:
        raise RuleError("mllp.tls", f"cannot be used ({type(error).__name__})") from None
    return context
