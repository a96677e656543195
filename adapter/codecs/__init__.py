"""Codecs convert bytes to messages and back; each format is one line of ``CODECS``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adapter.codecs.fhir.codec import FhirCodec
from adapter.codecs.hl7v2.codec import Hl7v2Codec
from adapter.codecs.hl7v2.framing import detect
from adapter.codecs.protocol import Codec, Frame
from adapter.codecs.text import TextCodec

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def _text(_tables: Mapping[str, Any]) -> Codec:
    return TextCodec()


CODECS: dict[str, Callable[..., Codec]] = {
    "hl7v2": Hl7v2Codec,
    "fhir": FhirCodec,
    "text": _text,
}
"""Format -> factory of its codec, called with the format's parsed schema tables and its options."""

__all__ = ["CODECS", "Codec", "Frame", "detect"]
