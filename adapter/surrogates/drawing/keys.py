"""Everything a surrogate is drawn from: HMAC-SHA256 (RFC 2104) under one secret per domain."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from adapter.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SHORTEST_SECRET = 16
"""Bytes; the least that NIST SP 800-107 allows for an HMAC key."""

_BLOCK = 64
_INNER = bytes(byte ^ 0x36 for byte in range(256))
_OUTER = bytes(byte ^ 0x5C for byte in range(256))


class Codes(Protocol):
    """A store of random codes: an original has one for good, and no two originals have the same.

    An original is known by its MAC alone.
    """

    def seed(self, original: bytes, attempt: int, code: Callable[[bytes], str]) -> bytes:
        """The 32 random bytes kept for an original's nth attempt; fresh ones if there are none.

        ``code`` makes of random bytes the code that must be nobody else's.

        Raises:
            SurrogateError: the store does not answer, or codes have run out.
        """

    def settle(self) -> None:
        """Make sure that every code given so far outlasts a loss of power.

        Raises:
            SurrogateError: the store does not answer.
        """


@dataclass(frozen=True, slots=True)
class Key:
    """The secret of one pseudonymisation domain, and the name it goes by.

    Raises:
        RuleError: the secret is shorter than 16 bytes.
    """

    id: str
    secret: bytes = field(repr=False)
    codes: Codes | None = field(default=None, repr=False)
    """Where random codes are kept, if not all is to be drawn with the secret."""
    words: frozenset[str] = field(default=frozenset(), repr=False)
    """Words that say what kind of number stands beside them ("mrn", "patient"), in lower case."""

    def __post_init__(self) -> None:
        if len(self.secret) < SHORTEST_SECRET:
            raise RuleError(f"key {self.id}", f"shorter than {SHORTEST_SECRET} bytes")

    def mac(self, *values: str) -> bytes:
        """HMAC-SHA256 of the values, the first of which names the purpose: 32 bytes."""
        return mac(self.secret, joined(*values))

    def draw(self, *values: str) -> int:
        """A number below 2**64, the same for the same values under the same secret."""
        return _drawn(self.secret, joined(*values))

    def choose(self, table: Sequence[str], *values: str) -> str:
        """The entry of the table that the values draw."""
        return table[self.draw(*values) % len(table)]

    def own(self, kind: str, value: str, attempt: int, code: Callable[[Key], str]) -> Key:
        """The random key that one value has of its own, or this one where no codes are kept.

        ``code`` draws with a key what must be nobody else's code.

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
        """A key of one value: it keeps no codes."""
        return Key(self.id, secret, None, self.words)

    def original(self, kind: str, value: str) -> bytes:
        """What a store of codes knows a value by."""
        return self.mac("code", kind, value)

    def person(self, identity: str) -> str:
        """What a patient's names and dates are drawn by: random where codes are kept.

        Raises:
            SurrogateError: the store does not answer.
        """
        if self.codes is None:
            return identity
        return self.own("person", identity, 0, lambda key: key.secret.hex()).secret.hex()

    def numbers(self, count: int, *values: str) -> bytes:
        """Return count drawn bytes; of more than 32 each block is drawn of the values' MAC."""
        blocks = -(-count // 32)
        if blocks <= 1:
            return self.mac(*values)[:count]
        seed = self.mac(*values).hex()
        return b"".join(self.mac("block", seed, str(block)) for block in range(blocks))[:count]


def joined(*values: str) -> str:
    """The values as one text, different for different values: what a MAC is made of.

    Unit separators stand between them, escaped within them.
    """
    text = "\x1f".join(values)
    if text.count("\x1f") == len(values) - 1 and "\x1b" not in text:
        return text
    return "\x1f".join(v.replace("\x1b", "\x1b[").replace("\x1f", "\x1b_") for v in values)


@lru_cache(maxsize=16)
def _padded(secret: bytes) -> tuple[hashlib._Hash, hashlib._Hash]:
    """SHA-256 after the two padded keys of RFC 2104: to copy them halves the time of a MAC."""
    short = secret if len(secret) <= _BLOCK else hashlib.sha256(secret).digest()
    block = short.ljust(_BLOCK, b"\0")
    return hashlib.sha256(block.translate(_INNER)), hashlib.sha256(block.translate(_OUTER))


def mac(secret: bytes, text: str) -> bytes:
    """HMAC-SHA256 of one text: 32 bytes."""
    inner, outer = _padded(secret)
    first, second = inner.copy(), outer.copy()
    first.update(text.encode("utf-8", "surrogatepass"))
    second.update(first.digest())
    return second.digest()


@lru_cache(maxsize=16384)
def _drawn(secret: bytes, text: str) -> int:
    """A memo of a pure function: staff, places and organisations come again and again."""
    return int.from_bytes(mac(secret, text)[:8])
