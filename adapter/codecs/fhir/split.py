"""Splits a file's or record's bytes into JSON texts: NDJSON, or texts that follow one another."""

from __future__ import annotations

import json
import re

from adapter.codecs.protocol import Frame

_SEVERAL = re.compile(
    rb"[}\]\"][ \t]*+[\r\n]\s*+[^\s,:}\]]|[^\s,:\[{][ \t]*+[\r\n]\s*+[{\[]|\}\s*+\{"
)
"""A pattern that never occurs outside the strings of one well-formed JSON text."""

_XML = re.compile(rb"(?:\xef\xbb\xbf)?\s*<")
_WHITE = " \t\r\n\ufeff"
_NEXT = re.compile(r"[\r\n](?=[{\[])")
_SPACE = re.compile(r"[ \t\r\n\ufeff]*")
_LINE = re.compile(r"[^\r\n]*")
_SCANNER = json.JSONDecoder(object_pairs_hook=len, parse_constant=len)


def split(raw: bytes) -> tuple[Frame, ...]:
    """Split a byte stream into JSON texts; white space and byte order marks around are framing.

    Text that is not JSON extends to the next line that begins an object or array.
    """
    if not _SEVERAL.search(raw) or _XML.match(raw):
        return _one(raw)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return _one(raw)
    frames = []
    position = 0
    while position < len(text):
        low = _skip(text, position)
        high = _end(text, low)
        after = _skip(text, high)
        frames.append(_frame(text[position:low], text[low:high], text[high:after]))
        position = after
    return tuple(frames)


def _one(raw: bytes) -> tuple[Frame, ...]:
    value = raw.removeprefix(b"\xef\xbb\xbf").strip(b" \t\r\n")
    if not value:
        return (Frame(raw, b"", b""),) if raw else ()
    start = raw.index(value)
    return (Frame(raw[:start], value, raw[start + len(value) :]),)


def _frame(prefix: str, value: str, suffix: str) -> Frame:
    return Frame(prefix.encode("utf-8"), value.encode("utf-8"), suffix.encode("utf-8"))


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position


def _end(text: str, low: int) -> int:
    """Return the end of the text that begins at ``low``: a JSON value and the rest of its line."""
    high: int
    try:
        _, high = _SCANNER.raw_decode(text, low)
    except (ValueError, RecursionError):
        found = _NEXT.search(text, low)
        high = found.start() if found else len(text)
        return len(text[:high].rstrip(_WHITE))
    if text.startswith(("{", "["), _skip(text, high)):
        return high
    line = _LINE.match(text, high)
    return len(text[: line.end() if line else high].rstrip(_WHITE))
