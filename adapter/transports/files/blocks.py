"""Reads a long input as blocks of whole messages, so that memory use is bounded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adapter.codecs import detect

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

BLOCK = 4 << 20
"""Bytes read at once; an input up to this size is one block."""
LONGEST_BOUNDARY = 256
"""Bytes at the end of the searched part that can be the beginning of a boundary."""
_JSON = re.compile(rb"\}[ \t]*\r?\n(?=(?:[ \t]*\r?\n){0,40}\{)")
_HL7 = re.compile(
    rb"[\r\n](?=\x0b?(?:MSH|FHS|BHS|BTS|FTS)[^A-Za-z0-9\s])|\x1c\r(?=\x0b)", re.DOTALL
)
BOUNDARIES = {"fhir": _JSON, "hl7v2": _HL7}
"""Format -> pattern of the boundary between messages: JSON strings contain no raw line end, and in
HL7 v2 no line but a header begins with a header's name."""


def blocks(stream: BinaryIO, size: int = BLOCK) -> Iterator[bytes]:
    """Yield blocks whose concatenation is the stream; no message is split.

    An input in an unknown format, or a single message longer than ``size``, is one block.
    """
    pending = stream.read(size)
    boundary = BOUNDARIES.get(detect(pending) or "")
    searched = 0
    while more := stream.read(size):
        pending += more
        cut = _last(boundary, pending, searched) if boundary else 0
        if cut:
            yield pending[:cut]
            pending = pending[cut:]
        searched = max(0, len(pending) - LONGEST_BOUNDARY)
    yield pending


def _last(boundary: re.Pattern[bytes], pending: bytes, start: int) -> int:
    """Return the end of the last boundary, or 0 if there is none."""
    end = 0
    for match in boundary.finditer(pending, start):
        end = match.end()
    return end
