"""The store with its keys: a database, what seals, what signs events, and MACs of phrases."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.review.store import events

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from adapter.review.store.protocol import Cursor, Database
    from adapter.sealing.box import Box
    from adapter.sealing.chain import Signer

_MAC = "phrases"
_BOUND = b"review phrases"


def fresh_id() -> str:
    """A random name that tells nothing of what it names."""
    return secrets.token_urlsafe(12)


@dataclass(frozen=True, slots=True)
class Store:
    """Everything that is kept; ``clock`` gives seconds since the epoch."""

    database: Database = field(repr=False)
    box: Box = field(repr=False)
    signer: Signer = field(repr=False)
    clock: Callable[[], float] = field(default=time.time, repr=False)
    _mac: list[bytes] = field(default_factory=list, repr=False)

    @property
    def now(self) -> int:
        """Milliseconds since the epoch."""
        return round(self.clock() * 1000)

    @contextmanager
    def step(self, event: str, person: str = "", **told: object) -> Iterator[Cursor]:
        """A transaction with its event: both are kept, or neither.

        Raises:
            StoreError: either cannot be written.
        """
        self._ready()  # transactions are not nested
        with self.database.transaction() as cursor:
            entry = {"time_ms": self.now, "event": event, "person": person, **told}
            events.append(cursor, self.signer, entry)
            yield cursor

    def mac(self, text: str) -> bytes:
        """What a phrase is known by: an HMAC under a key of this store alone.

        Raises:
            StoreError: the database does not answer.
            SealError: the key of the store cannot be opened.
        """
        self._ready()
        return hmac.digest(self._mac[0], text.encode(), hashlib.sha256)[:16]

    def _ready(self) -> None:
        if not self._mac:
            self._mac.append(self._secret())

    def _secret(self) -> bytes:
        with self.database.transaction() as cursor:
            rows = cursor.rows("SELECT value FROM review_meta WHERE name = ?", _MAC)
            if rows:
                return self.box.open(bytes(rows[0][0]), _BOUND)
            secret = os.urandom(32)
            sealed = self.box.seal(secret, _BOUND)
            cursor.run("INSERT INTO review_meta VALUES (?, ?)", _MAC, sealed)
            return secret
