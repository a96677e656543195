"""Sealing: bytes that only the holder of a key can read or change unseen.

AES-256-GCM (NIST SP 800-38D) with a fresh 96-bit nonce. A sealed thing names the key it was sealed
with, so that keys can be rotated: the current one seals, retired ones still open, and what a
destroyed one sealed is gone for good.
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
"""Bytes before the key's id: version, and length of the id."""


class SealError(Exception):
    """Something sealed that cannot be opened; ``reason`` names no content."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class DestroyedError(SealError):
    """What was sealed under a key that has been destroyed: it is erased."""

    def __init__(self, key_id: str) -> None:
        super().__init__(f"key {key_id} was destroyed")


@dataclass(frozen=True, slots=True)
class SealingKeys:
    """The id of the key that seals, and all keys that open: 32 bytes under each id."""

    key_id: str
    keys: Mapping[str, bytes] = field(repr=False)
    destroyed: frozenset[str] = frozenset()

    def secret(self, key_id: str) -> bytes:
        """The secret of that id.

        Raises:
            DestroyedError: it was destroyed.
            SealError: it never was here.
        """
        if key_id in self.keys:
            return self.keys[key_id]
        if key_id in self.destroyed:
            raise DestroyedError(key_id)
        raise SealError(f"no key {key_id}" if key_id.isprintable() else "no such key")


def encrypt(secret: bytes, plain: bytes, bound: bytes) -> tuple[bytes, bytes]:
    """A fresh nonce, and the bytes sealed under it; ``bound`` must be the same when opened."""
    nonce = os.urandom(NONCE_BYTES)
    return nonce, AESGCM(secret).encrypt(nonce, plain, bound)


def decrypt(secret: bytes, nonce: bytes, sealed: bytes, bound: bytes) -> bytes:
    """The plain bytes.

    Raises:
        SealError: they, or what they are bound to, are not what was sealed.
    """
    try:
        return AESGCM(secret).decrypt(nonce, sealed, bound)
    except (InvalidTag, ValueError):
        raise SealError("seal is broken") from None


@dataclass(frozen=True, slots=True)
class Box(SealingKeys):
    """Seals bytes to bytes: version, key id, nonce, ciphertext."""

    def seal(self, plain: bytes, bound: bytes = b"") -> bytes:
        """Sealed under the current key, and bound to what is not inside (a name, a place)."""
        name = self.key_id.encode("ascii")
        head = bytes((VERSION, len(name))) + name
        nonce, secret = encrypt(self.secret(self.key_id), plain, head + bound)
        return head + nonce + secret

    def open(self, sealed: bytes, bound: bytes = b"") -> bytes:
        """What was sealed.

        Raises:
            DestroyedError: sealed by a destroyed key.
            SealError: not sealed by a box, by an unknown key, changed, or bound to something else.
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
