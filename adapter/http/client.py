"""An HTTP client for one request: TLS, a bounded answer, no redirects.

No message data is ever sent. A request has schema ids or the adapter's own credentials, and goes
only to the address that the settings give.
"""

from __future__ import annotations

import io
import ssl
import time
from contextlib import closing
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

if TYPE_CHECKING:
    import socket
    from collections.abc import Mapping
    from pathlib import Path

LONGEST = 4 << 20
"""Maximum number of bytes of an answer."""


class RequestError(Exception):
    """No usable answer; ``reason`` is only a status or the type of a failure."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Trust:
    """Trusted authorities (PEM; None: the system's), and the client's own certificate."""

    cafile: Path | None = None
    certfile: Path | None = None
    keyfile: Path | None = None
    key_password: str | None = field(default=None, repr=False)

    def context(self) -> ssl.SSLContext:
        """Return the TLS context of a client.

        Raises:
            OSError: a file cannot be read or used.
        """
        context = ssl.create_default_context(cafile=self.cafile)
        if self.certfile is not None:
            context.load_cert_chain(self.certfile, self.keyfile, self.key_password)
        return context


def fetched(
    url: str,
    headers: Mapping[str, str],
    trust: Trust,
    seconds: float,
    body: bytes | None = None,
) -> bytes:
    """Return the body of the answer to a GET, or to a POST of ``body``.

    ``seconds`` limit connecting, for each address of the host, and then everything else together.

    Raises:
        RequestError: there was no answer with status 200 within the limits of time and size.
    """
    try:
        with closing(_connection(url, trust, seconds)) as connection:
            connection.connect()
            answer = _answer(connection, url, headers, body, time.monotonic() + seconds)
            if answer.status != HTTPStatus.OK:  # redirects are not followed
                raise RequestError(str(answer.status))
            found = answer.read(LONGEST + 1)
    except (OSError, ValueError, HTTPException) as error:
        raise RequestError(type(error).__name__) from None
    if len(found) > LONGEST:
        raise RequestError("too-large")
    return found


def _connection(url: str, trust: Trust, seconds: float) -> HTTPConnection:
    """Return a connection to the host of a URL; proxy settings of the environment are ignored."""
    parts = urlsplit(url)
    if parts.scheme == "https":
        context = trust.context()
        return HTTPSConnection(parts.hostname or "", parts.port, timeout=seconds, context=context)
    return HTTPConnection(parts.hostname or "", parts.port, timeout=seconds)


def _answer(
    connection: HTTPConnection,
    url: str,
    headers: Mapping[str, str],
    body: bytes | None,
    until: float,
) -> HTTPResponse:
    """Send a request, and read the status line and headers of its answer."""
    parts = urlsplit(url)
    target = urlunsplit(("", "", parts.path or "/", parts.query, ""))
    method = "GET" if body is None else "POST"
    connection.request(method, target, body, dict(headers) | {"Connection": "close"})
    answer = _Answer(connection.sock, method, until)
    answer.begin()
    return answer


class _Answer(HTTPResponse):
    """An answer that is read only until a deadline, even if data keeps arriving slowly."""

    def __init__(self, connected: socket.socket, method: str, until: float) -> None:
        super().__init__(connected, method=method)
        self.fp.close()
        self.fp = io.BufferedReader(_Timely(connected, until))


class _Timely(io.RawIOBase):
    """The bytes of a socket until a deadline (`time.monotonic`)."""

    def __init__(self, connected: socket.socket, until: float) -> None:
        self._connected, self._until = connected, until

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Read available bytes into a buffer.

        Raises:
            TimeoutError: the deadline has passed.
        """
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._connected.settimeout(left)
        return self._connected.recv_into(buffer)
