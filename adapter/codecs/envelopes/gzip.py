"""Gzip (RFC 1952): a value that is one member, unpacked up to a size limit and packed again.

The header of a member can hold a file name and a time; neither is written again.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapter.errors import EnvelopeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.codecs.envelopes.protocol import Envelope, Unwrapped

_GZIP = 31
"""Window bits that select gzip's header and trailer in zlib."""
_LEVEL = 6


@dataclass(frozen=True, slots=True)
class Gzip:
    """Another envelope inside a member of gzip."""

    inner: Envelope
    max_bytes: int

    def unwrap(self, value: bytes) -> Unwrapped:
        """Return the messages and values that the inner envelope finds in the unpacked value.

        Raises:
            EnvelopeError: "gzip", the value is not one whole member; "too-large".
        """
        return self.inner.unwrap(unpacked(value, self.max_bytes))

    def wrap(
        self, unwrapped: Unwrapped, payloads: Sequence[bytes], beside: Sequence[str | None]
    ) -> bytes:
        """Return the inner envelope's bytes, packed.

        Raises:
            EnvelopeError: the inner envelope cannot be written.
        """
        return packed(self.inner.wrap(unwrapped, payloads, beside))


def unpacked(value: bytes, most: int) -> bytes:
    """Return the unpacked content of a value, at most ``most`` bytes.

    Raises:
        EnvelopeError: "gzip", the value is not one whole member; "too-large".
    """
    reader = zlib.decompressobj(_GZIP)
    try:
        content = reader.decompress(value, most + 1)
        if len(content) > most:
            raise EnvelopeError("too-large")
    except zlib.error:
        raise EnvelopeError("gzip") from None
    if not reader.eof or reader.unused_data:
        raise EnvelopeError("gzip")
    return content


def packed(content: bytes) -> bytes:
    """Return the content as a gzip member without file name and time."""
    writer = zlib.compressobj(_LEVEL, zlib.DEFLATED, _GZIP)
    return writer.compress(content) + writer.flush()
