"""The console's database in an SQLite file, for a single machine."""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager, suppress
from threading import RLock
from typing import TYPE_CHECKING, Any

from adapter.review.store.protocol import StoreError
from adapter.review.store.schema import statements

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from adapter.review.store.protocol import Cursor

PATIENCE = 5.0
"""Seconds to wait for the lock of another process."""


class _Cursor:
    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(sql, values).fetchall()

    def run(self, sql: str, *values: object) -> int:
        return self._connection.execute(sql, values).rowcount


class SqliteDatabase:
    """A file with mode 0600; every commit is synced, and deleted content is overwritten."""

    def __init__(self, path: Path) -> None:
        self._lock = RLock()
        try:
            with suppress(FileExistsError):
                os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
            self._connection = sqlite3.connect(
                path, timeout=PATIENCE, isolation_level=None, check_same_thread=False
            )
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "secure_delete = ON"):
                self._connection.execute(f"PRAGMA {pragma}").fetchall()
            for statement in statements("BLOB"):
                self._connection.execute(statement)
        except (sqlite3.Error, OSError):
            raise StoreError("the database cannot be opened") from None

    @contextmanager
    def transaction(self) -> Iterator[Cursor]:
        """Run a transaction that excludes other writers.

        Raises:
            StoreError: the file cannot be read or written.
        """
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    yield _Cursor(self._connection)
                    self._connection.execute("COMMIT")
                except BaseException:
                    if self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
                    raise
            except sqlite3.Error:
                raise StoreError("the database refuses") from None

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()
