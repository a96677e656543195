"""Decompresses objects by their first bytes: gzip (RFC 1952) and Zstandard (RFC 8878).

File names are ignored: connectors write ``.json.gz``, but object stores may decompress in transit.
"""

from __future__ import annotations

import gzip
import io
import zlib
from typing import TYPE_CHECKING, BinaryIO, cast

from adapter.replay.errors import ReplayError, missing_extra

if TYPE_CHECKING:
    from collections.abc import Callable

GZIP = b"\x1f\x8b"
ZSTD = b"\x28\xb5\x2f\xfd"
_BLOCK = 1 << 18

DAMAGED = (EOFError, zlib.error, gzip.BadGzipFile)
"""Exceptions that readers of compressed bytes raise."""


def decompressed(stream: BinaryIO) -> BinaryIO:
    """Return a stream of the decompressed bytes, or the stream itself if it is not compressed.

    Reading raises one of `DAMAGED` if the compressed bytes are damaged or truncated.
    """
    head = stream.read(4)
    stream.seek(0)
    for magic, opened in _READERS.items():
        if head.startswith(magic):
            return opened(stream)
    return stream


def _gzip(stream: BinaryIO) -> BinaryIO:
    return cast("BinaryIO", io.BufferedReader(gzip.GzipFile(fileobj=stream), _BLOCK))


def _zstd(stream: BinaryIO) -> BinaryIO:
    return io.BufferedReader(_Zstd(stream), _BLOCK)


_READERS: dict[bytes, Callable[[BinaryIO], BinaryIO]] = {GZIP: _gzip, ZSTD: _zstd}


class _Zstd(io.RawIOBase):
    """Reads consecutive frames; unlike the library's own reader, detects a truncated frame."""

    def __init__(self, stream: BinaryIO) -> None:
        try:
            import zstandard  # noqa: PLC0415 - an extra
        except ImportError:
            raise missing_extra("zstandard") from None
        self._damaged = zstandard.ZstdError
        self._new = zstandard.ZstdDecompressor().decompressobj
        self._stream = stream
        self._frame = self._new()
        self._begun = False
        self._out = b""
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        while not self._out:
            if not self._more():
                return 0
        size = min(len(buffer), len(self._out))
        buffer[:size] = self._out[:size]
        self._out = self._out[size:]
        return size

    def _more(self) -> bool:
        block = self._rest or self._stream.read(_BLOCK)
        self._rest = b""
        if not block:
            if self._begun:
                raise EOFError
            return False
        self._begun = True
        try:
            self._out = self._frame.decompress(block)
        except self._damaged:
            raise zlib.error from None
        if self._frame.eof:
            self._rest = self._frame.unused_data
            self._frame, self._begun = self._new(), False
        return True


def damaged(place: str) -> ReplayError:
    """Return the error to raise for one of `DAMAGED`."""
    return ReplayError(place, "compressed bytes are damaged or truncated")
