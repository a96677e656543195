"""A client of schema registries with Confluent's HTTP API, which fetches each schema once.

An id always names the same schema, so a fetched schema is cached for the life of the process. An
unknown id can be registered later, so it is requested again after a while.
"""

from __future__ import annotations

import base64
import json
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.codecs.envelopes.tree import JSON
from adapter.errors import EnvelopeError, RuleError
from adapter.http.client import RequestError, Trust, fetched
from adapter.schemas.avro import AvroBody
from adapter.schemas.json import JsonSchemaBody

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from adapter.codecs.envelopes.protocol import Body
    from adapter.config.settings import Settings

PAUSE = 1.0
"""Seconds without requests after a failure; callers repeat their request anyway."""
UNKNOWN_SECONDS = 60.0
"""Seconds for which an id that is unknown or unreadable is not requested again."""
MOST_UNKNOWN = 1_000
"""Maximum number of unknown ids that are cached, since any bytes can look like an id."""
_ABSENT = "404"
_KINDS: dict[str, Callable[[Any], Body]] = {
    "AVRO": AvroBody.of,
    "JSON": lambda schema: JsonSchemaBody(JSON, schema),
}
"""The registry's name of a schema type -> function that makes the reader and writer."""


@dataclass(slots=True)
class Registry:
    """The schemas of one registry; ``headers`` contain the adapter's credentials."""

    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    trust: Trust
    seconds: float
    _bodies: dict[int, Body] = field(default_factory=dict, repr=False)
    _unknown: dict[int, float] = field(default_factory=dict, repr=False)
    """Id -> monotonic time until which it is not requested."""
    _down_until: float = 0.0

    def body(self, number: int) -> Body:
        """Return the reader and writer of values of the schema with this id.

        Raises:
            EnvelopeError: "unknown-schema", there is no such schema, or its type is not supported;
                "no-registry", the registry does not answer now.
        """
        if number not in self._bodies:
            if time.monotonic() < self._unknown.get(number, 0.0):
                raise EnvelopeError("unknown-schema")
            try:
                self._bodies[number] = _body(self._fetched(f"/schemas/ids/{number}"))
            except EnvelopeError as error:
                self._note(number, error)
                raise
        return self._bodies[number]

    def _note(self, number: int, error: EnvelopeError) -> None:
        if error.code == "unknown-schema":
            if len(self._unknown) >= MOST_UNKNOWN:
                self._unknown.clear()
            self._unknown[number] = time.monotonic() + UNKNOWN_SECONDS

    def answers(self) -> None:
        """Check that the registry answers.

        Raises:
            RequestError: the registry does not answer, or refuses.
        """
        fetched(f"{self.url}/schemas/types", self.headers, self.trust, self.seconds)

    def _fetched(self, path: str) -> bytes:
        if time.monotonic() < self._down_until:
            raise EnvelopeError("no-registry")
        try:
            return fetched(f"{self.url}{path}", self.headers, self.trust, self.seconds)
        except RequestError as error:
            if error.reason == _ABSENT:
                raise EnvelopeError("unknown-schema") from None
            self._down_until = time.monotonic() + PAUSE
            raise EnvelopeError("no-registry") from None


def _body(raw: bytes) -> Body:
    """Return the reader and writer of values of a registered schema.

    Schemas that refer to others are not supported.

    Raises:
        EnvelopeError: "unknown-schema".
    """
    try:
        answer = json.loads(raw)
        make = _KINDS[
            "references" if answer.get("references") else answer.get("schemaType", "AVRO")
        ]
        return make(json.loads(answer["schema"]))
    except RuleError:
        raise
    except Exception:  # noqa: BLE001 - libraries raise many types for a bad schema
        raise EnvelopeError("unknown-schema") from None


def schemas_of(settings: Settings) -> Registry | None:
    """Return the registry that the settings name, or None if they name none.

    Raises:
        RuleError: its certificates cannot be used.
    """
    said = settings.registry
    if not said.url:
        return None
    password = said.key_password.get_secret_value() if said.key_password else None
    trust = Trust(said.cafile, said.certfile, said.keyfile, password)
    seconds = min(said.timeout_seconds, settings.workers.timeout_ms / 2000)
    headers = {"Accept": "application/vnd.schemaregistry.v1+json, application/json"}
    if said.token is not None:
        headers["Authorization"] = f"Bearer {said.token.get_secret_value()}"
    elif said.username is not None and said.password is not None:
        pair = f"{said.username}:{said.password.get_secret_value()}".encode()
        headers["Authorization"] = f"Basic {base64.b64encode(pair).decode('ascii')}"
    return Registry(said.url.rstrip("/"), headers, trust, seconds)
