"""The ASGI application: reads a request, passes its message to the lane, sends the response."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.requests import ClientDisconnect, Request

from adapter.audit import Event, log
from adapter.errors import PostError
from adapter.transports.http.answers import failure, outcome, refusal
from adapter.transports.http.exchange import Exchange
from adapter.transports.http.gate import Gate
from adapter.transports.http.room import Room

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.responses import Response
    from starlette.types import Receive, Scope, Send

    from adapter.config.listeners.http import Http
    from adapter.transports.http.room import Place

HELD = {"accept": HTTPStatus.ACCEPTED, "reject": HTTPStatus.UNPROCESSABLE_ENTITY}
LINGER_SECONDS = 1.0
LINGER_BYTES = 1 << 20
"""Bytes still read of a refused request, so that its sender can read the response."""


class App:
    """Accepts one message per request; no part of the original is in a response or a log."""

    def __init__(self, http: Http, take: Callable[[Exchange], None]) -> None:
        """Configure the application; ``take`` passes a message to the lane.

        Raises:
            RuleError: the token file cannot be read, or holds no valid token.
        """
        self._http = http
        self._gate = Gate.of(http)
        self._take = take
        self.room = Room(http.max_waiting, http.receive_bytes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, unless its sender has disconnected."""
        request = Request(scope, receive)
        try:
            response = await self._answered(request)
        except ClientDisconnect:
            return
        except PostError as error:
            log(Event.MESSAGE_REFUSED, "debug", code=error.code)
            await _lingering(request)
            response = refusal(error)
        except Exception as error:  # noqa: BLE001 - its text may quote a message, its type does not
            log(Event.BAD_REQUEST, "error", error=error)
            response = failure()
        await response(scope, receive, send)

    async def _answered(self, request: Request) -> Response:
        kind = self._gate.passed(request)
        place = self.room.enter()
        try:
            value = await self._read(request, place)
        except BaseException:
            place.leave()
            raise
        exchange = Exchange(value, kind, place)
        self._take(exchange)
        return await self._settled(request, exchange)

    async def _read(self, request: Request, place: Place) -> bytes:
        """Return the message, read within the limits of size and time.

        Raises:
            PostError: "too-large", "slow", "empty", or "busy" if there is no room for it.
            ClientDisconnect: the sender disconnected before the end of the message.
        """
        body = bytearray()
        try:
            async with (
                asyncio.timeout(self._http.message_seconds),
                aclosing(request.stream()) as parts,
            ):
                async for part in parts:
                    place.grow(len(part))
                    body += part
                    if len(body) > self._http.max_message_bytes:
                        raise PostError("too-large")
        except TimeoutError:
            raise PostError("slow") from None
        if not body.strip():
            raise PostError("empty")
        return bytes(body)

    async def _settled(self, request: Request, exchange: Exchange) -> Response:
        """Return the response after the outcome is committed.

        Raises:
            PostError: "no-outcome" if none came in time, "stopping" if the lane drops the message.
            ClientDisconnect: the sender disconnected before the outcome.
        """
        gone = asyncio.ensure_future(request.receive())
        waited = exchange.told, gone
        try:
            await asyncio.wait(
                waited, timeout=self._http.answer_seconds, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            exchange.lost = not exchange.told.done()
            left = gone.done()
            gone.cancel()
        if exchange.lost:
            if left:
                raise ClientDisconnect
            raise PostError("no-outcome")
        result = exchange.told.result()
        if result is None:
            raise PostError("stopping")
        whole_as = exchange.media_type if self._http.answer == "message" else ""
        return outcome(result, HELD[self._http.held], whole_as)


async def _lingering(request: Request) -> None:
    """Read and discard the rest of a refused request, at most `LINGER_BYTES`."""
    left = LINGER_BYTES
    with suppress(TimeoutError, ClientDisconnect, RuntimeError):  # the last: already read
        async with asyncio.timeout(LINGER_SECONDS), aclosing(request.stream()) as parts:
            async for part in parts:
                left -= len(part)
                if left < 0:
                    return
