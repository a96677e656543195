"""Payloads: the bytes of a message in a tree's value, and the value for edited bytes.

A string in an envelope is Unicode, whatever its MSH-18 declares. It is encoded in the charset that
MSH-18 names, so that the codec decodes the same characters that a reader of the envelope sees.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.codecs.envelopes.json import dumped, inserted
from adapter.codecs.hl7v2.charsets import codec_of, declared_charset
from adapter.codecs.hl7v2.framing import detect, split_hl7v2
from adapter.errors import DecodeError, EnvelopeError

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class Payload:
    """A message's bytes, and a function that returns the tree's value for other bytes."""

    raw: bytes = field(repr=False)
    value: Callable[[bytes], Any] = field(repr=False)


def payload_of(value: Any, *, in_base64: bool) -> Payload:
    """Return the message in a value: text, base64, bytes, or an object or list (a JSON message).

    Raises:
        EnvelopeError: "encoding", the value is none of these; "no-payload", it is empty.
    """
    if isinstance(value, bytes):
        payload = Payload(value, bytes)
    elif isinstance(value, (dict, list)):
        payload = Payload(dumped(value).encode("utf-8"), inserted)
    elif type(value) is not str:
        raise EnvelopeError("encoding")
    elif in_base64:
        payload = Payload(_from_base64(value), _to_base64)
    else:
        payload = _text(value)
    if not payload.raw:
        raise EnvelopeError("no-payload")
    return payload


def _from_base64(text: str) -> bytes:
    """Decode padded base64 that contains nothing else (RFC 4648, section 4)."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise EnvelopeError("encoding") from None
    if _to_base64(raw) != text:
        raise EnvelopeError("encoding")
    return raw


def _to_base64(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


def _text(text: str) -> Payload:
    charset = _charset(text)
    try:
        raw = text.encode(charset)
        if raw.decode(charset) != text:
            raise EnvelopeError("encoding")
    except UnicodeError:
        raise EnvelopeError("encoding") from None

    def value(raw: bytes) -> str:
        try:
            return raw.decode(charset)
        except UnicodeDecodeError:
            raise EnvelopeError("unwritable") from None

    return Payload(raw, value)


def _charset(text: str) -> str:
    """Return the Python codec of the charset that the messages of a text declare; default UTF-8.

    Raises:
        EnvelopeError: "encoding", two messages declare different charsets, so one would be
            misread.
    """
    raw = text.encode("utf-8", "replace")
    if detect(raw) != "hl7v2":
        return "utf-8"
    found = {_declared(frame.value) for frame in split_hl7v2(raw) if frame.value.startswith(b"MSH")}
    if len(found) > 1:
        raise EnvelopeError("encoding")
    return found.pop() if found else "utf-8"


def _declared(raw: bytes) -> str:
    names = declared_charset(raw)
    try:
        return codec_of(names) if names else "utf-8"
    except DecodeError:  # the HL7 v2 codec rejects the message with the reason
        return "utf-8"
