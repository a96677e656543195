"""Envelopes convert record values to the messages in them and back; each is one line below."""

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
    """A kind of envelope: its factory, and the settings that apply to it.

    ``pointed``: the settings name the places of the messages. ``registered``: it needs a schema
    registry. ``lines``: a file of it is read as JSON, one value a line.
    """

    make: Callable[[Spec, Schemas | None], Envelope]
    pointed: bool = False
    registered: bool = False
    lines: bool = False
    fixed: tuple[str, ...] = ()
    """JSON pointers of the messages, if the kind is not ``pointed``."""


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
