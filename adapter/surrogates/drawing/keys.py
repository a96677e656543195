"""Keyed derivation of surrogates: HMAC-SHA256 (RFC 2104) under one secret per domain."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from adapter.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SHORTEST_SECRET = 16
"""Fewest bytes of a secret, the least that NIST SP 800-107 allows for an HMAC key."""

_BLOCK = 64
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


class Codes(Protocol):
    """A store of random codes: each original keeps its code permanently, and no two share one.

    The store knows an original only by its MAC.
    """

    def seed(self, original: bytes, attempt: int, code: Callable[[bytes], str]) -> bytes:
        """Return the 32 random bytes of an original's n-th attempt, drawn if there are none yet.

        ``code`` derives from random bytes the code that must be unique.

        Raises:
            SurrogateError: the store does not answer, or codes have run out.
        """

    def settle(self) -> None:
        """Ensure that every code given so far survives a power failure.

        Raises:
            SurrogateError: the store does not answer.
        """


@dataclass(frozen=True, slots=True)
class Key:
    """The secret of one pseudonymisation domain, and its name.

    Raises:
        RuleError: the secret is shorter than 16 bytes.
    """

    id: str
    secret: bytes = field(repr=False)
    codes: Codes | None = field(default=None, repr=False)
    """The store of random codes, or None if all surrogates are derived from the secret."""
    words: frozenset[str] = field(default=frozenset(), repr=False)
    """Lower-case words that name the kind of number beside them ("mrn", "patient")."""

    def __post_init__(self) -> None:
        if len(self.secret) < SHORTEST_SECRET:
            raise RuleError(f"key {self.id}", f"is shorter than {SHORTEST_SECRET} bytes")

    def mac(self, *values: str) -> bytes:
        """Return the HMAC-SHA256 of the values, 32 bytes; the first value names the purpose."""
        return mac(self.secret, joined(*values))

    def draw(self, *values: str) -> int:
        """Return a number below 2**64, determined by the secret and the values."""
        return _drawn(self.secret, joined(*values))

    def choose(self, table: Sequence[str], *values: str) -> str:
        """Return the table's entry that the values select."""
        return table[self.draw(*values) % len(table)]

    def own(self, kind: str, value: str, attempt: int, code: Callable[[Key], str]) -> Key:
        """Return a value's own random key, or this key if there is no store of codes.

        ``code`` derives from a key the code that must be unique.

        Raises:
            SurrogateError: the store does not answer, or codes have run out.
        """
        if self.codes is None:
            return self
        seed = self.codes.seed(
            self.original(kind, value), attempt, lambda drawn: code(self._with(drawn))
        )
        return self._with(seed)

    def _with(self, secret: bytes) -> Key:
        """Return a key with another secret and without a store of codes."""
        return Key(self.id, secret, None, self.words)

    def original(self, kind: str, value: str) -> bytes:
        """Return the MAC under which a store of codes knows a value."""
        return self.mac("code", kind, value)

    def person(self, identity: str) -> str:
        """Return the string that a patient's names and dates derive from; random with a code store.

        Raises:
            SurrogateError: the store does not answer.
        """
        if self.codes is None:
            return identity
        return self.own("person", identity, 0, lambda key: key.secret.hex()).secret.hex()

    def numbers(self, count: int, *values: str) -> bytes:
        """Return ``count`` derived bytes; beyond 32, each block is derived from the values' MAC."""
        blocks = -(-count // 32)
        if blocks <= 1:
            return self.mac(*values)[:count]
        seed = self.mac(*values).hex()
        return b"".join(self.mac("block", seed, str(block)) for block in range(blocks))[:count]


def joined(*values: str) -> str:
    """Join values injectively into the text for a MAC.

    Values are separated by unit separators, which are escaped within them.
    """
    text = "\x1f".join(values)
    if text.count("\x1f") == len(values) - 1 and "\x1b" not in text:
        return text
    return "\x1f".join(v.replace("\x1b", "\x1b[").replace("\x1f", "\x1b_") for v in values)


@lru_cache(maxsize=16)
def _padded(secret: bytes) -> tuple[hashlib._Hash, hashlib._Hash]:
    """Return SHA-256 states after the padded keys of RFC 2104; copying them halves a MAC's time."""
    short = secret if len(secret) <= _BLOCK else hashlib.sha256(secret).digest()
    block = short.ljust(_BLOCK, b"\0")
    return hashlib.sha256(block.translate(_INNER)), hashlib.sha256(block.translate(_OUTER))


def mac(secret: bytes, text: str) -> bytes:
    """Return the HMAC-SHA256 of a text, 32 bytes."""
    inner, outer = _padded(secret)
    first, second = inner.copy(), outer.copy()
    first.update(text.encode("utf-8", "surrogatepass"))
    second.update(first.digest())
    return second.digest()


@lru_cache(maxsize=16384)
def _drawn(secret: bytes, text: str) -> int:
    """Return the first 8 bytes of a MAC as a number; memoised, as staff and places recur."""
    return int.from_bytes(mac(secret, text)[:8])
