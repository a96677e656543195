"""What every answer has and every request must have: headers, own host and origin, a small body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse

if TYPE_CHECKING:
    from collections.abc import Collection

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY = 64 * 1024
"""Bytes of a form: nobody sends messages to the console."""
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
    """Refuses requests to other hosts and from other origins, and bodies that are too long."""

    def __init__(self, app: ASGIApp, hosts: Collection[str], *, secure: bool) -> None:
        self._app = app
        self._hosts = frozenset(hosts)
        self._scheme = "https" if secure else "http"
        self._extra = {"strict-transport-security": "max-age=31536000"} if secure else {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        begun: list[bool] = []

        async def sent(message: Message) -> None:
            begun.append(True)
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
            if not begun:
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
    """A body that ends where it may not go on, whatever length was announced."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._read = 0

    async def receive(self) -> Message:
        message = await self._receive()
        self._read += len(message.get("body", b""))
        return message if self._read <= MOST_BODY else {"type": "http.disconnect"}
