"""HL7 v2 messages in a byte stream: MLLP blocks, batches, files of several messages.

A message begins at a line that begins with a header segment. White space, MLLP block characters
(0x0B before, 0x1C 0x0D after; HL7 transport specification, MLLP release 1) and byte order marks
between messages are framing; every other byte belongs to a message.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adapter.codecs.protocol import Frame

if TYPE_CHECKING:
    from collections.abc import Iterator

BOM = b"\xef\xbb\xbf"

_BEGIN = (
    rb"((?:MSH|FHS|BHS)([^A-Za-z0-9\s])[^A-Za-z0-9\s]{0,6}?(?:\2|[\r\n]|\Z)"
    rb"|(?:BTS|FTS)(?:[^A-Za-z0-9\s]|[\r\n]|\Z))"
)
_HERE = re.compile(_BEGIN)
_LIKE_NAME = re.compile(rb"[MFB][SHT][HS]")
_ROOT = 4096
"""Bytes within which an XML message must declare its namespace."""
_V2XML = b"urn:hl7-org:v2xml"
_XML_ROOT = re.compile(rb"http://hl7\.org/fhir|urn:hl7-org:v3|" + _V2XML)
_BLANKS = frozenset((b" ", b"\t"))
_LINE_STARTS = frozenset((b"", b"\r", b"\n", b"\x0b", b"\x1c"))
_LEAD = re.compile(rb"(?:[\s\x1c]|\xef\xbb\xbf)*")
_LAST_LINE_END = re.compile(rb"[ \t]*(?:\r\n|\r|\n)?")
_NEXT_BLOCK = re.compile(rb"\x0b|\xef\xbb\xbf")


def split_hl7v2(raw: bytes) -> tuple[Frame, ...]:
    """Return the frames of ``raw``; concatenated, they are ``raw`` again.

    A message's value ends with its last segment's line end. Bytes before the first header are a
    frame of their own. An XML document is one message.
    """
    lead = _end(_LEAD, raw, 0)
    if raw[lead : lead + 1] == b"<":
        end = _trimmed(raw, lead, len(raw))
        return (Frame(raw[:lead], raw[lead:end], raw[end:]),)
    return tuple(_frames(raw)) if raw else ()


def _frames(raw: bytes) -> Iterator[Frame]:
    starts = [m.start() for m in _LIKE_NAME.finditer(raw) if _begins(raw, m.start())]
    lead = _end(_LEAD, raw, 0)
    if not starts or starts[0] > lead:
        starts.insert(0, lead)
    done = 0
    for start, limit in zip(starts, [*starts[1:], len(raw)], strict=True):
        end = _value_end(raw, start, limit)
        following = limit if limit == len(raw) else _suffix_end(raw, end, limit)
        yield Frame(raw[done:start], raw[start:end], raw[end:following])
        done = following


def _begins(raw: bytes, at: int) -> bool:
    """Whether a header segment begins at ``at``, at the start of a line or after its blanks."""
    first = at
    while raw[first - 1 : first] in _BLANKS:
        first -= 1
    line = raw[first - 1 : first] in _LINE_STARTS or raw.endswith(BOM, 0, first)
    return line and _HERE.match(raw, at) is not None


def _end(pattern: re.Pattern[bytes], raw: bytes, at: int) -> int:
    match = pattern.match(raw, at)
    return at if match is None else match.end()


def _value_end(raw: bytes, start: int, limit: int) -> int:
    """Return the end of a message: after the line end of its last line that is not framing."""
    end = _trimmed(raw, start, limit)
    return min(_end(_LAST_LINE_END, raw, end), limit) if end > start else start


def _suffix_end(raw: bytes, end: int, limit: int) -> int:
    """Return the end of the framing after a message, where the framing of the next begins."""
    match = _NEXT_BLOCK.search(raw, end, limit)
    return limit if match is None else match.start()


def _trimmed(raw: bytes, start: int, limit: int) -> int:
    """Return the end of ``raw[start:limit]`` without framing."""
    while limit > start:
        shorter = len(raw[start:limit].rstrip(b"\x0b\x1c\r\n\t\x0c ")) + start
        if not raw.endswith(BOM, start, shorter):
            return shorter
        limit = shorter - len(BOM)
    return limit


def detect(raw: bytes) -> str | None:
    """Detect a record's format by its first bytes after framing: "hl7v2", "fhir" or None.

    The format of XML is that of the first known namespace in it.

    UTF-16 is not detected, so that its messages are held.
    """
    start = _end(_LEAD, raw, 0)
    if raw[start : start + 1] in (b"{", b"["):
        return "fhir"
    if raw[start : start + 1] == b"<":
        found = _XML_ROOT.search(raw, start, start + _ROOT)
        return found and ("hl7v2" if found[0] == _V2XML else "fhir")
    return "hl7v2" if _HERE.match(raw, start) else None
