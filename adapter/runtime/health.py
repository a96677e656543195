"""A small HTTP endpoint: /healthz (alive), /readyz (in work), /metrics (Prometheus text)."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST

from adapter.audit import Event, log

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from adapter.config.settings import Health
    from adapter.runtime.runner import Runner

SECONDS = 5.0
REASONS = {200: "OK", 404: "Not Found", 503: "Service Unavailable"}


def answer(runner: Runner, path: str) -> tuple[int, str, bytes]:
    """Return status, content type and body for a path."""
    match path.partition("?")[0]:
        case "/healthz":
            return 200, "text/plain", b"alive\n"
        case "/readyz" if runner.ready:
            return 200, "text/plain", b"ready\n"
        case "/readyz":
            return 503, "text/plain", b"not ready\n"
        case "/metrics":
            runner.measure()
            return 200, CONTENT_TYPE_LATEST, runner.metrics.exposition()
    return 404, "text/plain", b"try /healthz, /readyz or /metrics\n"


@asynccontextmanager
async def endpoint(runner: Runner, health: Health) -> AsyncIterator[int]:
    """Serve while the block runs; gives the port, 0 when turned off."""
    if not health.port:
        yield 0
        return

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _serve(runner, reader, writer)

    async with await asyncio.start_server(serve, health.host, health.port) as server:
        port: int = server.sockets[0].getsockname()[1]
        log(Event.LISTENING, port=port)
        yield port


async def _serve(
    runner: Runner, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """One request a connection; what is no request gets no answer."""
    try:
        async with asyncio.timeout(SECONDS):
            request = await reader.readuntil(b"\r\n\r\n")
            _method, path, _version = request.split(b"\r\n", 1)[0].decode("ascii").split(" ")
            writer.write(_response(*answer(runner, path)))
            await writer.drain()
    except (TimeoutError, ValueError, OSError, EOFError, asyncio.LimitOverrunError) as error:
        log(Event.BAD_REQUEST, "debug", error=error)
    finally:
        writer.close()


def _response(status: int, kind: str, body: bytes) -> bytes:
    head = (
        f"HTTP/1.1 {status} {REASONS[status]}\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode("ascii") + body
