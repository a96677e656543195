"""MLLP blocks in a stream of bytes (HL7 v2 Transport Specification: MLLP, release 1), without I/O.

A block is 0x0B, the message, 0x1C 0x0D. Bytes outside of blocks are never part of a message.
"""

from __future__ import annotations

from dataclasses import dataclass, field

START, END = b"\x0b", b"\x1c\r"
HEADERS = b"MSH", b"FHS", b"BHS"
HEAD_BYTES = 4096
"""Bytes kept of a message that is too large: enough for its header segment."""


def framed(value: bytes) -> bytes:
    """Return a message as a block."""
    return START + value + END


@dataclass(frozen=True, slots=True)
class Block:
    """A message as received; ``value`` is only its beginning if it is too large."""

    value: bytes = field(repr=False)
    size: int
    """Bytes of the message."""
    whole: bool = True


class Framer:
    """Takes bytes as they arrive and returns the blocks that they complete."""

    def __init__(self, longest: int) -> None:
        """Start between blocks; ``longest`` is the maximum size of a message in bytes."""
        self._longest = longest
        self._buffer = bytearray()
        self._searched = 0
        self._dropped = 0
        self.inside = False
        """Whether a block has begun."""
        self.stray = 0
        """Bytes so far that belong to no block."""

    @property
    def pending(self) -> int:
        """Return the number of buffered bytes."""
        return len(self._buffer)

    def feed(self, data: bytes) -> list[Block]:
        """Add bytes, and return the blocks that are now complete."""
        self._buffer += data
        blocks: list[Block] = []
        while self.inside or self._entered():
            block = self._completed()
            if block is None:
                break
            blocks.append(block)
        return blocks

    def _entered(self) -> bool:
        at = self._buffer.find(START)
        self.inside = at >= 0
        outside = at if self.inside else len(self._buffer)
        self.stray += outside
        del self._buffer[: outside + 1]
        self._searched = 0
        return self.inside

    def _completed(self) -> Block | None:
        end = self._buffer.find(END, max(0, self._searched - 1))
        if end < 0:
            self._searched = len(self._buffer)
            if self._searched > self._longest:
                self._drop()
            return None
        value, size = bytes(self._buffer[:end]), self._dropped + end
        del self._buffer[: end + len(END)]
        self._dropped, self.inside = 0, False
        if size > self._longest:
            return Block(value[:HEAD_BYTES], size, whole=False)
        return self._last_begun(value)

    def _drop(self) -> None:
        """Discard the middle of a message that is too large; the last byte may begin `END`."""
        before = len(self._buffer)
        del self._buffer[HEAD_BYTES:-1]
        self._searched = len(self._buffer)
        self._dropped += before - self._searched

    def _last_begun(self, value: bytes) -> Block:
        """Return the block without an earlier one whose end is missing.

        0x0B alone can be part of a text; followed by a header segment, it begins a block.
        """
        begun = max(value.rfind(START + name) for name in HEADERS)
        self.stray += begun + 1
        return Block(value[begun + 1 :], len(value) - begun - 1)
