"""The store: a database with the keys that seal values, sign events and compute phrase MACs."""

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
    """Return a random id of 16 characters, which carries no information."""
    return secrets.token_urlsafe(12)


@dataclass(frozen=True, slots=True)
class Store:
    """The database of the console and its keys; ``clock`` returns seconds since the epoch."""

    database: Database = field(repr=False)
    box: Box = field(repr=False)
    signer: Signer = field(repr=False)
    clock: Callable[[], float] = field(default=time.time, repr=False)
    _mac: list[bytes] = field(default_factory=list, repr=False)

    @property
    def now(self) -> int:
        """The present time in ms since the epoch."""
        return round(self.clock() * 1000)

    @contextmanager
    def step(self, event: str, person: str = "", **details: object) -> Iterator[Cursor]:
        """Run a transaction that also writes an audit event; both are committed, or neither.

        Raises:
            StoreError: the database does not answer, or the event cannot be appended.
        """
        self._ready()  # transactions are not nested
        with self.database.transaction() as cursor:
            entry = {"time_ms": self.now, "event": event, "person": person, **details}
            events.append(cursor, self.signer, entry)
            yield cursor

    def mac(self, text: str) -> bytes:
        """Return the 16-byte HMAC of a phrase, under a key that only this store has.

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
