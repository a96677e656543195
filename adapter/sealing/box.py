"""Seals bytes so that only the holder of a key can read them, and changes are detected.

AES-256-GCM (NIST SP 800-38D) with a fresh 96-bit nonce. Sealed bytes name their key, so that keys
can be rotated: the current key seals, retired keys still open, and what a destroyed key sealed is
lost permanently.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

if TYPE_CHECKING:
    from collections.abc import Mapping

NONCE_BYTES = 12
VERSION = 1
_HEAD = 2
"""Bytes before the key's id: the version, and the length of the id."""


class SealError(Exception):
    """Sealed bytes cannot be opened; ``reason`` reveals nothing of the content."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class DestroyedError(SealError):
    """The bytes were sealed under a key that has been destroyed: they are erased."""

    def __init__(self, key_id: str) -> None:
        super().__init__(f"key {key_id} was destroyed")


@dataclass(frozen=True, slots=True)
class SealingKeys:
    """The id of the key that seals, and all keys that open, 32 bytes each, by id."""

    key_id: str
    keys: Mapping[str, bytes] = field(repr=False)
    destroyed: frozenset[str] = frozenset()

    def secret(self, key_id: str) -> bytes:
        """Return the secret of a key.

        Raises:
            DestroyedError: the key was destroyed.
            SealError: the key is unknown.
        """
        if key_id in self.keys:
            return self.keys[key_id]
        if key_id in self.destroyed:
            raise DestroyedError(key_id)
        raise SealError(f"no key {key_id}" if key_id.isprintable() else "no such key")


def encrypt(secret: bytes, plain: bytes, bound: bytes) -> tuple[bytes, bytes]:
    """Return a fresh nonce and the sealed bytes; opening needs the same ``bound`` bytes."""
    nonce = os.urandom(NONCE_BYTES)
    return nonce, AESGCM(secret).encrypt(nonce, plain, bound)


def decrypt(secret: bytes, nonce: bytes, sealed: bytes, bound: bytes) -> bytes:
    """Return the plain bytes.

    Raises:
        SealError: the sealed or the bound bytes have changed, or the key is wrong.
    """
    try:
        return AESGCM(secret).decrypt(nonce, sealed, bound)
    except (InvalidTag, ValueError):
        raise SealError("seal is broken") from None


@dataclass(frozen=True, slots=True)
class Box(SealingKeys):
    """Seals bytes to bytes: version, key id, nonce, ciphertext."""

    def seal(self, plain: bytes, bound: bytes = b"") -> bytes:
        """Seal bytes under the current key; ``bound`` is authenticated, but not stored."""
        name = self.key_id.encode("ascii")
        head = bytes((VERSION, len(name))) + name
        nonce, secret = encrypt(self.secret(self.key_id), plain, head + bound)
        return head + nonce + secret

    def open(self, sealed: bytes, bound: bytes = b"") -> bytes:
        """Return the bytes that were sealed.

        Raises:
            DestroyedError: their key was destroyed.
            SealError: they were not sealed by a box, their key is unknown, or they or ``bound``
                changed.
        """
        if len(sealed) < _HEAD or sealed[0] != VERSION:
            raise SealError("not sealed in this version")
        start = _HEAD + sealed[1]
        head, nonce = sealed[:start], sealed[start : start + NONCE_BYTES]
        try:
            key_id = head[_HEAD:].decode("ascii")
        except UnicodeDecodeError:
            raise SealError("seal is broken") from None
        return decrypt(self.secret(key_id), nonce, sealed[start + NONCE_BYTES :], head + bound)
