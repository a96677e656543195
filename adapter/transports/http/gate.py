"""Checks the head of a request before its message is read."""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.config.secret_files import read_secret
from adapter.errors import PostError, RuleError
from adapter.http.pages import from_a_page
from adapter.transports.http.media_types import media_type

if TYPE_CHECKING:
    from pathlib import Path

    from starlette.requests import Request

    from adapter.config.listeners.http import Http

_TOKEN = re.compile(rb"[A-Za-z0-9._~+/-]{32,}=*")
"""A bearer token (RFC 6750, 2.1) of at least 32 characters."""


@dataclass(frozen=True, slots=True)
class Gate:
    """Accepts or refuses requests by their heads."""

    path: str
    longest: int
    digest: bytes = field(default=b"", repr=False)
    """SHA-256 of the token; empty if no token is required."""

    @classmethod
    def of(cls, http: Http) -> Gate:
        """Return the gate for the settings.

        Raises:
            RuleError: the token file cannot be read, or holds no valid token.
        """
        token = _digest(_token(http.token_file)) if http.token_file else b""
        return cls(http.path, http.max_message_bytes, token)

    def passed(self, request: Request) -> str:
        """Return the content type of an accepted request.

        Raises:
            PostError: the request is refused; the code says why.
        """
        headers = request.headers
        if from_a_page(headers):
            raise PostError("from-a-page")
        if self.digest and not self._has_token(headers.get("authorization", "")):
            raise PostError("no-token")
        if (request.scope["path"], request.scope["raw_path"]) != (self.path, self.path.encode()):
            raise PostError("no-such-path")
        if request.method != "POST":
            raise PostError("not-a-post")
        if "content-length" in headers and "transfer-encoding" in headers:
            raise PostError("ambiguous")  # RFC 9112, 6.1: two parsers may see different messages
        if headers.get("content-encoding", "identity") != "identity":
            raise PostError("media-type")
        if int(headers.get("content-length", "0")) > self.longest:
            raise PostError("too-large")
        return media_type(headers.get("content-type", ""))

    def _has_token(self, header: str) -> bool:
        scheme, _, token = header.partition(" ")
        given = _digest(token.strip().encode("latin-1"))
        return hmac.compare_digest(given, self.digest) and scheme.lower() == "bearer"


def _digest(token: bytes) -> bytes:
    """Return the SHA-256 of a token, so that comparisons do not reveal its length."""
    return hashlib.sha256(token).digest()


def _token(file: Path) -> bytes:
    place = "http.token_file"
    try:
        token = read_secret(file).strip()
    except OSError as error:
        raise RuleError(place, f"cannot be read ({type(error).__name__})") from None
    if not _TOKEN.fullmatch(token):
        raise RuleError(
            place, "must contain a token of at least 32 characters (A-Z a-z 0-9 . _ ~ + / -)"
        )
    return token
