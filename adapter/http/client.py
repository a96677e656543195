"""One request to a service that the settings name: TLS, a bounded answer, no redirects.

Nothing of a message is ever sent; what goes out are numbers of schemas and the adapter's own
credentials, to the address that the settings give and to no other.
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from http.client import HTTPException
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.request import (
    BaseHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPSHandler,
    OpenerDirector,
    Request,
)

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

LONGEST = 4 << 20
"""Bytes of an answer."""


class RequestError(Exception):
    """No usable answer; ``reason``, a status or the type of a failure, is all that is told."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Trust:
    """Whom to trust (PEM; None: the system's authorities), and how to show who one is."""

    cafile: Path | None = None
    certfile: Path | None = None
    keyfile: Path | None = None
    key_password: str | None = field(default=None, repr=False)

    def context(self) -> ssl.SSLContext:
        """Return it as a context for clients.

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
    """Return the answer to a GET, or to a POST of a body.

    Raises:
        RequestError: there is none of status 200, in time and within bounds.
    """
    try:
        request = Request(url, data=body, headers=dict(headers))  # noqa: S310 - http(s) by settings
        with _opener(trust).open(request, timeout=seconds) as answer:
            found: bytes = answer.read(LONGEST + 1)
    except HTTPError as error:
        error.close()
        raise RequestError(str(error.code)) from None
    except (OSError, ValueError, HTTPException) as error:
        cause = getattr(error, "reason", error)
        raise RequestError(
            type(cause if isinstance(cause, Exception) else error).__name__
        ) from None
    if len(found) > LONGEST:
        raise RequestError("too-large")
    return found


def _opener(trust: Trust) -> OpenerDirector:
    """An opener that knows http and https alone: no proxy, no redirect, no other scheme."""
    opener = OpenerDirector()
    handlers: list[BaseHandler] = [
        HTTPHandler(),
        HTTPSHandler(context=trust.context()),
        _Refusing(),
    ]
    for handler in handlers:
        opener.add_handler(handler)
    return opener


class _Refusing(HTTPErrorProcessor):
    """Takes every status but 200 for a failure."""

    def http_response(self, request: Request, response: Any) -> Any:
        """Return an answer of status 200.

        Raises:
            HTTPError: it has another.
        """
        if response.code != 200:  # noqa: PLR2004 - OK
            raise HTTPError(request.full_url, response.code, "", response.headers, response)
        return response

    https_response = http_response
