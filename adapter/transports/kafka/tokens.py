"""Bearer tokens for SASL OAUTHBEARER (RFC 7628), fetched for a connection and cached.

A token is used for the fraction `USED` of its lifetime, so that the broker never sees one about to
expire; brokers close connections whose token has expired (KIP-368), and the next connection fetches
a new one.
"""

from __future__ import annotations

import asyncio
import json
import subprocess
import time
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from aiokafka.abc import AbstractTokenProvider
from aiokafka.errors import KafkaConnectionError

from adapter.audit import Event, log
from adapter.config.secret_files import read_secret
from adapter.errors import RuleError
from adapter.http.client import RequestError, Trust, fetched

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.config.kafka import OAuth, Security

USED = 0.8
"""Fraction of a token's lifetime during which it is used."""
UNKNOWN_SECONDS = 60.0
"""Seconds for which a token without a stated lifetime is valid."""
_PRINTABLE = frozenset(map(chr, range(0x21, 0x7F)))


class TokenError(Exception):
    """There is no token; ``str`` is the reason in one word, without any secret."""


@dataclass(frozen=True, slots=True)
class Token:
    """A token, and its lifetime in seconds."""

    text: str = field(repr=False)
    seconds: float


class Tokens(AbstractTokenProvider):  # type: ignore[misc]
    """Returns the same token to all connections of a process until it has to be replaced."""

    def __init__(self, oauth: OAuth, clock: Callable[[], float] = time.monotonic) -> None:
        """Keep the settings; fetch nothing yet."""
        self._oauth, self._clock = oauth, clock
        self._token: Token | None = None
        self._until = 0.0

    async def token(self) -> str:
        """Return a token.

        Raises:
            KafkaConnectionError: no token is available now; clients retry, as for a broker.
        """
        if self._token is None or self._clock() >= self._until:
            try:
                self._token = await asyncio.to_thread(fresh, self._oauth)
            except TokenError as error:
                log(Event.NO_TOKEN, "warning", reason=str(error))
                raise KafkaConnectionError(f"no token: {error}") from None
            self._until = self._clock() + USED * self._token.seconds
        return self._token.text

    def extensions(self) -> dict[str, str]:
        """Return the SASL extensions sent with the token."""
        return dict(self._oauth.extensions)


@lru_cache(maxsize=8)
def _shared(key: str) -> list[Tokens]:
    """Return the list that holds the one provider of the settings with this ``key``."""
    del key
    return []


def tokens_of(oauth: OAuth) -> Tokens:
    """Return the process's one provider for these settings."""
    place = _shared(oauth.model_dump_json())
    if not place or place[0]._oauth != oauth:  # noqa: SLF001 - its own class
        place[:] = [Tokens(oauth)]
    return place[0]


async def refuse_without_token(security: Security) -> None:
    """Refuse settings that configure tokens but yield none.

    Raises:
        RuleError: no token is available now.
    """
    if security.protocol.startswith("SASL") and security.mechanism == "OAUTHBEARER":
        try:
            await asyncio.to_thread(fresh, security.oauth)
        except TokenError as error:
            raise RuleError("kafka.security.oauth", f"yields no token ({error})") from None


def fresh(oauth: OAuth) -> Token:
    """Return a new token from the configured source; blocks.

    Raises:
        TokenError: no token is available.
    """
    if oauth.token_url:
        return _granted(oauth)
    text = _of_file(oauth) if oauth.token_file is not None else _printed(oauth)
    if not text.startswith("{"):
        return Token(_checked(text), 0.0 if oauth.token_file is not None else UNKNOWN_SECONDS)
    return _read(text)


def _granted(oauth: OAuth) -> Token:
    """Fetch a token from the endpoint, with the client's credentials in the body."""
    secret = oauth.client_secret.get_secret_value() if oauth.client_secret else ""
    form = {"grant_type": "client_credentials", "client_id": oauth.client_id or ""}
    form |= {"client_secret": secret} | ({"scope": oauth.scope} if oauth.scope else {})
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    trust, body = Trust(oauth.cafile), urlencode(form).encode("ascii")
    try:
        answer = fetched(oauth.token_url, headers, trust, oauth.timeout_seconds, body)
    except RequestError as error:
        raise TokenError(error.reason) from None
    return _read(answer.decode("utf-8", "replace"))


def _of_file(oauth: OAuth) -> str:
    assert oauth.token_file is not None
    try:
        return read_secret(oauth.token_file).decode("ascii").strip()
    except (RuleError, OSError, UnicodeDecodeError) as error:
        raise TokenError(type(error).__name__) from None


def _printed(oauth: OAuth) -> str:
    """Return the output of the token command; its standard error is discarded."""
    try:
        done = subprocess.run(  # noqa: S603 - the operator's own command, without a shell
            oauth.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=oauth.timeout_seconds,
            check=True,
        )
        return done.stdout.decode("ascii").strip()
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError) as error:
        raise TokenError(type(error).__name__) from None


def _read(text: str) -> Token:
    """Return the token of an endpoint's answer (RFC 6749, section 5.1)."""
    try:
        answer: dict[str, Any] = json.loads(text)
        seconds = float(answer.get("expires_in", UNKNOWN_SECONDS))
        if not 0 < seconds < inf:
            raise TokenError("no-token")
        return Token(_checked(answer["access_token"]), seconds)
    except (ValueError, OverflowError, KeyError, TypeError, AttributeError):
        raise TokenError("no-token") from None


def _checked(text: Any) -> str:
    """Return the token if it is printable ASCII without blanks; else raise TokenError."""
    if not isinstance(text, str) or not text or not _PRINTABLE.issuperset(text):
        raise TokenError("no-token")
    return text
