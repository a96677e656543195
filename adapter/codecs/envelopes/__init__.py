"""Envelopes: values of records to the messages in them and back. One is added by its line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapter.codecs.envelopes.cloudevents import CloudEvent
from adapter.codecs.envelopes.confluent import Confluent
from adapter.codecs.envelopes.gzip import Gzip
from adapter.codecs.envelopes.plain import Plain
from adapter.codecs.envelopes.protocol import Beside, Envelope, Nature, Schemas, Spec, Unwrapped
from adapter.codecs.envelopes.tree import JsonEnvelope

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Kind:
    """How an envelope is made; ``pointed`` ones are told where the message lies.

    ``registered`` ones need a registry of schemas. A file of ``lines`` is JSON line by line.
    """

    make: Callable[[Spec, Schemas | None], Envelope]
    pointed: bool = False
    registered: bool = False
    lines: bool = False
    fixed: tuple[str, ...] = ()
    """Where the message lies, of one that is not ``pointed``."""


ENVELOPES: dict[str, Kind] = {
    "none": Kind(Plain.of),
    "json": Kind(JsonEnvelope.of, pointed=True, lines=True),
    "cloudevents": Kind(CloudEvent.of, lines=True, fixed=("/data", "/data_base64")),
    "confluent": Kind(Confluent.of, pointed=True, registered=True),
}
"""Name in the settings -> kind of envelope."""

PLAIN = Plain()

__all__ = [
    "ENVELOPES", "PLAIN", "Beside", "Envelope", "Gzip", "Kind", "Nature", "Schemas", "Spec",
    "Unwrapped",
]  # fmt: skip
