"""An HTTP listener for tests, with a third-party client and raw connections."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import httpx

from adapter.config.listeners.http import Http
from adapter.config.settings import Workers
from adapter.transports.http.transport import HttpTransport
from tests.transports.mllp import senders
from tests.transports.mllp.listening import served

ER7 = {"content-type": "application/hl7-v2"}


@dataclass
class Posting:
    """A running listener, and a client of it."""

    transport: HttpTransport
    pool: object
    stop: asyncio.Event
    running: asyncio.Task
    client: httpx.AsyncClient = field(repr=False)

    async def post(self, body, headers=None, path="/"):
        """Post a body, and return the response."""
        return await self.client.post(path, content=body, headers=ER7 | (headers or {}))

    async def raw(self, *parts, pause=0.0, seconds=5.0):
        """Send bytes over a separate connection; return everything received."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.transport.port)
        reading = asyncio.create_task(_all(reader))
        with suppress(ConnectionError):
            for part in parts:
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(pause)
        try:
            return await asyncio.wait_for(reading, seconds)
        finally:
            writer.close()


async def _all(reader):
    """Return everything up to the end of the stream, or to a reset."""
    found = b""
    with suppress(ConnectionError):
        while data := await reader.read(1 << 16):
            found += data
    return found


@asynccontextmanager
async def posting(outlet, workers=None, *, closed=False, tls=None, http_tls=None, **http):
    """Listen while the block runs; with ``closed``, nothing is processed until the gate opens.

    ``tls`` is the client's context, ``http_tls`` are the listener's settings.
    """
    if http_tls:
        http["tls"] = http_tls
    transport = HttpTransport(Http(port=0, **http), workers or Workers(), outlet)
    scheme = "https" if tls else "http"
    async with served(transport, closed=closed) as parts:
        address = f"{scheme}://127.0.0.1:{transport.port}"
        verify = tls or False
        async with httpx.AsyncClient(
            base_url=address, trust_env=False, verify=verify, timeout=10
        ) as client:
            yield Posting(transport, *parts, client)


def posted(outlet, *bodies, **http):
    """Post messages one after another; return the responses."""

    async def go():
        async with posting(outlet, **http) as listener:
            return [await listener.post(body) for body in bodies]

    return asyncio.run(go())


async def post_all(port, sender, total, log):
    """Post all messages in order, repeating each one until it is answered."""
    number, attempt = 0, 0
    async with httpx.AsyncClient(trust_env=False, timeout=30) as client:
        while number < total:
            attempt += 1
            log.sent.add((sender, number, attempt))
            body = senders.message(sender, number, attempt)
            try:
                told = await client.post(f"http://127.0.0.1:{port}/", content=body, headers=ER7)
            except httpx.TransportError:
                await asyncio.sleep(0.02)
                continue
            if told.status_code == 503:
                await asyncio.sleep(0.02)
                continue
            assert told.status_code in {200, 202}
            log.answered.add((sender, number, attempt))
            number += 1
