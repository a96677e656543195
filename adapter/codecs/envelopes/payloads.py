"""One payload: the bytes of a message in a tree's value, and the value with other bytes.

A text is Unicode already, whatever MSH-18 says of it: it is encoded as MSH-18 says, so that the
codec reads what a reader of the envelope sees.
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
    """A message's bytes, and what makes a value of the tree of other bytes."""

    raw: bytes = field(repr=False)
    value: Callable[[bytes], Any] = field(repr=False)


def payload_of(value: Any, *, in_base64: bool) -> Payload:
    """Return the message in a value: text, base64, bytes, or an object or list that is it.

    Raises:
        EnvelopeError: "encoding", it is none of these; "no-payload", it is empty.
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
    """Return the bytes of base64 with padding and without anything else (RFC 4648, section 4)."""
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
    """Return Python's codec of the charset in which a text's messages say they are written.

    Where they say nothing it is UTF-8.

    Raises:
        EnvelopeError: "encoding", one says another than the others, and would be misread.
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
    except DecodeError:  # the message's codec refuses it, and says why
        return "utf-8"
