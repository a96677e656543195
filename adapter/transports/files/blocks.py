"""A long input as blocks that end where a message ends, so that it is never in memory whole."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from adapter.codecs import detect

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

BLOCK = 4 << 20
"""Bytes read at once; an input not longer is one block."""
LONGEST_BOUNDARY = 256
"""Bytes at the end of what was searched that may be the beginning of a boundary."""
_JSON = re.compile(rb"\}[ \t]*\r?\n(?=(?:[ \t]*\r?\n){0,40}\{)")
_HL7 = re.compile(
    rb"[\r\n](?=\x0b?(?:MSH|FHS|BHS|BTS|FTS)[^A-Za-z0-9\s])|\x1c\r(?=\x0b)", re.DOTALL
)
BOUNDARIES = {"fhir": _JSON, "hl7v2": _HL7}
"""Where one message ends and another begins: JSON strings hold no raw line end, and no line of an
HL7 v2 message other than a header begins with a header's name."""


def blocks(stream: BinaryIO, size: int = BLOCK) -> Iterator[bytes]:
    """Blocks whose concatenation is the stream; no message is cut in two.

    An input in no known format, and a single message longer than ``size``, is one block.
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
    """The end of the last boundary; 0 when there is none."""
    end = 0
    for match in boundary.finditer(pending, start):
        end = match.end()
    return end
