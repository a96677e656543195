"""HTTP/1.1 connections (uvicorn on h11), with limits that the library does not set."""

from __future__ import annotations

from typing import TYPE_CHECKING

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from adapter.audit import Event, log

if TYPE_CHECKING:
    import asyncio

    from uvicorn import Config
    from uvicorn.server import ServerState

HEAD_SECONDS = 10.0
"""Seconds for a request's head, from its first byte; for the first request, from connecting."""
STALLED_SECONDS = 10.0
"""Seconds for a sender to resume reading its response."""


class Connection(H11Protocol):
    """Closes on a slow head, an unread response, or too many connections."""

    def __init__(self, config: Config, state: ServerState, most: int) -> None:
        super().__init__(config, state, {})
        self._most = most
        self._head: asyncio.TimerHandle | None = None
        self._stalled: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, or close it if there are too many."""
        super().connection_made(transport)
        if len(self.connections) > self._most:
            log(Event.CONNECTION_REFUSED, "warning", code="too-many")
            transport.close()
        else:
            self._wait_for_head()

    def data_received(self, data: bytes) -> None:
        """Parse received bytes; the head timer runs while a head is incomplete."""
        super().data_received(data)
        if self.conn.their_state is h11.IDLE:
            self._wait_for_head()
        else:
            self._head = _cancelled(self._head)

    def pause_writing(self) -> None:
        """Start the timer after which a connection whose response is not read is aborted."""
        super().pause_writing()
        self._stalled = self.loop.call_later(STALLED_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Cancel that timer: the sender reads again."""
        self._stalled = _cancelled(self._stalled)
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers."""
        self._head, self._stalled = _cancelled(self._head), _cancelled(self._stalled)
        super().connection_lost(exc)

    def _wait_for_head(self) -> None:
        if self._head is None:
            self._head = self.loop.call_later(HEAD_SECONDS, self._slow)

    def _slow(self) -> None:
        log(Event.CONNECTION_CLOSED, "warning", code="slow")
        self.transport.abort()


def _cancelled(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    """Cancel a timer, if there is one, and return None in its place."""
    if timer is not None:
        timer.cancel()
    return None
