"""Converts column values: JSON strings to bytes, parsed JSON to text, times to ms."""

from __future__ import annotations

import base64
import binascii
import json
from datetime import UTC, datetime
from typing import Any

from adapter.codecs import detect
from adapter.replay.archive.formats import Number


def decoded(text: str, encoding: str) -> bytes:
    """Return the bytes of a JSON string; "auto" decodes base64 if the result is a message.

    A message is never mistaken for base64: ``MSH`` is followed by a delimiter, FHIR begins with a
    brace.

    Raises:
        ValueError: the encoding is "base64" and the text is not.
    """
    raw = text.encode("utf-8", "surrogatepass")
    if encoding == "text" or (encoding == "auto" and detect(raw)):
        return raw
    try:
        found = base64.b64decode(raw, validate=True)
    except binascii.Error:
        if encoding == "base64":
            raise ValueError("not base64") from None
        return raw
    return found if encoding == "base64" or detect(found) else raw


def dumped(value: Any) -> str:
    """Serialise as JSON without spaces, and numbers with their original digits."""
    match value:
        case Number():
            return value
        case dict():
            inner = (f"{json.dumps(k, ensure_ascii=False)}:{dumped(v)}" for k, v in value.items())
            return f"{{{','.join(inner)}}}"
        case list():
            return f"[{','.join(map(dumped, value))}]"
    return json.dumps(value, ensure_ascii=False)


def milliseconds(raw: Any) -> int | None:
    """Return a time (a number of ms, a date-time, or ISO 8601) as ms since the epoch, or None."""
    if raw is None:
        return None
    if isinstance(raw, str) and not isinstance(raw, Number):
        raw = datetime.fromisoformat(raw)
    if isinstance(raw, datetime):
        raw = raw if raw.tzinfo else raw.replace(tzinfo=UTC)
        return int(raw.timestamp() * 1000 + 0.5)
    return int(float(raw))
