"""A small HTTP endpoint: /healthz (alive), /readyz (ready), /lanes (JSON), /metrics (Prometheus).

If the settings allow it, a POST pauses or resumes a lane; there is no authentication. The request
must be JSON and must not come from a web page, because any page can make a browser send simple
requests to every port that the browser can reach.
"""

from __future__ import annotations

import asyncio
import json
import re
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from prometheus_client import CONTENT_TYPE_LATEST

from adapter.audit import Event, log
from adapter.http.pages import from_a_page

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Mapping

    from adapter.config.settings import Health
    from adapter.runtime.runner import Runner

SECONDS = 5.0
READY = 200, "text/plain", b"ready\n"
REASONS = {
    200: "OK",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    415: "Unsupported Media Type",
    503: "Service Unavailable",
}


def answer(runner: Runner, path: str) -> tuple[int, str, bytes]:
    """Return status, content type and body for a path."""
    match path.partition("?")[0]:
        case "/healthz":
            return 200, "text/plain", b"alive\n"
        case "/readyz":
            lacks = ", ".join(runner.lacking())
            return (503, "text/plain", f"not ready: {lacks}\n".encode()) if lacks else READY
        case "/metrics":
            runner.measure()
            return 200, CONTENT_TYPE_LATEST, runner.metrics.exposition()
        case "/lanes":
            ruleset = runner.audit.ruleset_digest
            status = {"ruleset": ruleset, "lacks": runner.lacking(), "lanes": runner.statuses()}
            return 200, "application/json", json.dumps(status).encode()
        case further if further in runner.pages:
            return 200, "application/json", json.dumps(runner.pages[further]()).encode()
    return 404, "text/plain", b"try /healthz, /readyz, /lanes or /metrics\n"


def control(runner: Runner, path: str) -> tuple[int, str, bytes]:
    """Answer a POST to /lanes/NAME/pause or /lanes/NAME/resume."""
    wish = re.fullmatch(r"/lanes/([A-Za-z0-9._-]+)/(pause|resume)", path)
    if wish is None or not runner.pause(wish[1], paused=wish[2] == "pause"):
        return 404, "text/plain", b"no such lane that can be paused\n"
    return 200, "text/plain", f"{wish[2]}d\n".encode()


@asynccontextmanager
async def endpoint(runner: Runner, health: Health) -> AsyncIterator[int]:
    """Serve while the block runs; yield the port, or 0 if turned off."""
    if not health.port:
        yield 0
        return

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await _serve(runner, health, reader, writer)

    async with await asyncio.start_server(serve, health.host, health.port) as server:
        port: int = server.sockets[0].getsockname()[1]
        log(Event.LISTENING, port=port)
        yield port


async def _serve(
    runner: Runner, health: Health, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
) -> None:
    """Answer one request per connection; invalid requests get no answer."""
    try:
        async with asyncio.timeout(SECONDS):
            request = await reader.readuntil(b"\r\n\r\n")
            line, *fields = request.decode("ascii").split("\r\n")[:-2]
            method, path, _version = line.split(" ")
            wrong = _wrong(_headers(fields)) if method == "POST" and health.control else None
            writer.write(_response(*(wrong or _answered(runner, health, method, path))))
            await writer.drain()
    except (TimeoutError, ValueError, OSError, EOFError, asyncio.LimitOverrunError) as error:
        log(Event.BAD_REQUEST, "debug", error=error)
    finally:
        writer.close()


def _headers(fields: Iterable[str]) -> dict[str, str]:
    """Return headers by their names in lower case."""
    parted = (field.partition(":") for field in fields)
    return {name.strip().lower(): value.strip() for name, _, value in parted}


def _wrong(headers: Mapping[str, str]) -> tuple[int, str, bytes] | None:
    """Return the refusal of a POST that a web page may have made, or None for any other POST."""
    if from_a_page(headers):
        return 403, "text/plain", b"not from a web page\n"
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        return 415, "text/plain", b"needs Content-Type: application/json\n"
    return None


def _answered(runner: Runner, health: Health, method: str, path: str) -> tuple[int, str, bytes]:
    if method == "GET":
        return answer(runner, path)
    if method == "POST" and health.control:
        return control(runner, path)
    return 405, "text/plain", b"health.control is off\n" if method == "POST" else b"try GET\n"


def _response(status: int, kind: str, body: bytes) -> bytes:
    head = (
        f"HTTP/1.1 {status} {REASONS[status]}\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode("ascii") + body
