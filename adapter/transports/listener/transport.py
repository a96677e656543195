"""The part of a transport that all listeners share: bind, yield one lane, end gracefully."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from adapter.audit import Event, log
from adapter.errors import RuleError
from adapter.transports.listener.lane import ListenerLane
from adapter.transports.listener.tls import server_context

if TYPE_CHECKING:
    import asyncio
    from collections.abc import AsyncIterator

    from adapter.config.listeners.listener import Listener
    from adapter.config.settings import Workers
    from adapter.transports.listener.lane import Arrival, Outlet

HANDSHAKE_SECONDS = 10.0


class ListenerTransport(ABC):
    """Listens, and yields received messages as the records of one lane."""

    one_feed = False
    lasting_positions = False

    def __init__(self, listener: Listener, place: str, workers: Workers, outlet: Outlet) -> None:
        """Configure the listener by its settings, whose table is ``place``.

        Raises:
            RuleError: TLS cannot be used.
        """
        self.tls = server_context(listener.tls, f"{place}.tls")
        self.outlet = outlet
        self.lane = ListenerLane(listener.name, workers, outlet, self.listen)
        self._listener, self._place = listener, place
        self._server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        """Return the port of the listener; 0 before the start."""
        sockets = self._server.sockets if self._server else ()
        return int(sockets[0].getsockname()[1]) if sockets else 0

    async def start(self) -> None:
        """Bind the address; connections are accepted once the outlet is open.

        Raises:
            RuleError: the address cannot be bound.
        """
        try:
            self._server = await self.bound()
        except OSError as error:
            why = os.strerror(error.errno or 0) if error.errno else type(error).__name__
            problem = f"cannot listen on this address with {self._place}.port: {why}"
            raise RuleError(f"{self._place}.host", problem) from None

    @abstractmethod
    async def bound(self) -> asyncio.Server:
        """Return a server bound to the address, which accepts no connections yet.

        Raises:
            OSError: the address cannot be bound.
        """

    async def listen(self) -> None:
        """Accept connections."""
        if self._server is not None:
            await self._server.start_serving()
            log(Event.LISTENING, port=self.port)

    async def lanes(self) -> AsyncIterator[ListenerLane]:
        """Yield the one lane."""
        yield self.lane

    def drain(self) -> None:
        """Stop listening; messages not yielded yet stay with their senders."""
        if self._server is not None:
            self._server.close()
        self.lane.end()

    def public(self, topic: str) -> str:
        """Return the listener's name, which the operator chose."""
        return topic

    def lag(self) -> dict[str, int]:
        """Return the number of waiting messages, by the listener's name."""
        return {self._listener.name: self.lane.waiting()}

    def lacking(self) -> tuple[str, ...]:
        """Return "lanes" until connections are accepted; failures of the outlet are the lane's."""
        return () if self._server is not None and self._server.is_serving() else ("lanes",)

    def take(self, arrival: Arrival) -> None:
        """Pass a message to the lane."""
        self.lane.take(arrival)
