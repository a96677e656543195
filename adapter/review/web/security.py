"""Security headers of every response, and the checks of a request's host, origin and size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY = 64 * 1024
"""Largest request body in bytes; forms are small, and messages are not sent to the console."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
    " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class Guard:
    """ASGI middleware that refuses requests with another host or origin, or with a large body."""

    def __init__(self, app: ASGIApp, hosts: Collection[str], *, secure: bool) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._scheme = "https" if secure else "http"
        self._extra = {"strict-transport-security": "max-age=31536000"} if secure else {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, pass it on, and add the security headers to the response."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        started: list[bool] = []

        async def sent(message: Message) -> None:
            started.append(True)
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS | self._extra)
            await send(message)

        refusal = self._refusal(scope)
        if refusal:
            await PlainTextResponse(refusal, 400)(scope, receive, sent)
            return
        try:
            await self._app(scope, _Limited(receive).receive, sent)
        except Exception:  # the server would log its text, which may quote a message
            if not started:
                raise

    def _refusal(self, scope: Scope) -> str:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if host.rpartition(":")[0].strip("[]") not in self._hosts and host not in self._hosts:
            return "unknown host"
        if scope["method"] in {"GET", "HEAD"}:
            return ""
        if headers.get("origin") != f"{self._scheme}://{host}":
            return "from another origin"
        length = headers.get("content-length", "")
        return "" if length.isdecimal() and int(length) <= MOST_BODY else "no length, or too long"


class _Limited:
    """Disconnects once a body exceeds the limit, whatever its content-length says."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._read = 0

    async def receive(self) -> Message:
        message = await self._receive()
        self._read += len(message.get("body", b""))
        return message if self._read <= MOST_BODY else {"type": "http.disconnect"}
