"""The extent of a body inside a text, and tests of decoded bytes."""

from __future__ import annotations

from dataclasses import dataclass

PRINTABLE = bytes({9, 10, 13, *range(32, 127)})
_LETTERS = b" abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOSTLY, _NEARLY, _SPOKEN = 0.85, 0.95, 0.6
_LITTLE = 30
"""Bytes below which nearly all must be printable, because few bytes can be so by chance."""
_STRONG = (
    b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"PK\x03\x04", b"\x1f\x8b\x08",
    b"\xd0\xcf\x11\xe0", b"II*\x00", b"MM\x00*", b"RIFF", b"OggS", b"fLaC", b"BZh", b"\xfd7zXZ",
    b"7z\xbc\xaf", b"Rar!", b"\x28\xb5\x2f\xfd", b"SQLite", b"\xca\xfe\xba\xbe", b"\x7fELF",
)  # fmt: skip
_DEFLATED = (b"\x78\x01", b"\x78\x5e", b"\x78\x9c", b"\x78\xda")
"""Headers of zlib streams (RFC 1950, 2.2)."""


@dataclass(frozen=True, slots=True)
class Body:
    """Characters ``[start, end)`` of a text that are a body of this kind.

    A ``closed`` body was detected but is not read.
    """

    start: int
    end: int
    kind: str
    closed: bool = False


def is_textual(data: bytes) -> bool:
    """Whether decoded bytes are mostly printable text in ASCII, UTF-8, UTF-16 or Latin-1."""
    if not data:
        return False
    zeros = data.count(0)
    if len(data) <= zeros * 3 <= 2 * len(data):
        return len(data) - zeros > 1 and _share(data.replace(b"\0", b""), PRINTABLE) >= _MOSTLY
    if _share(data, PRINTABLE) >= (_NEARLY if len(data) < _LITTLE else _MOSTLY):
        return True
    return _is_utf8(data)


def is_spoken(data: bytes) -> bool:
    """Whether decoded bytes are mostly ASCII letters and blanks."""
    return _share(data, _LETTERS) >= _SPOKEN and is_textual(data)


def is_wording(data: bytes) -> bool:
    """Whether decoded bytes are nearly all letters and blanks, as a short body must be."""
    return bool(data) and _share(data, _LETTERS) >= 0.9 and _share(data, PRINTABLE) == 1  # noqa: PLR2004


def is_binary(data: bytes) -> bool:
    """Whether decoded bytes begin as a well-known binary format does."""
    return data.startswith(_STRONG) or data[:2] in _DEFLATED


def _share(data: bytes, of: bytes) -> float:
    return 1 - len(data.translate(None, of)) / max(len(data), 1)


def _is_utf8(data: bytes) -> bool:
    """Whether bytes are mostly printable UTF-8; the last character may be cut."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        if error.start < len(data) - 3:
            return False
        text = data[: error.start].decode("utf-8")
    good = sum(character.isprintable() or character in "\t\r\n" for character in text)
    return bool(text) and good >= _MOSTLY * len(text)
