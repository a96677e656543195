"""The vault in an SQLite file, shared by the processes of one machine."""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING

from adapter.errors import SurrogateError
from adapter.vault.seeds import PATIENCE, kept

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_SCHEMA = """
CREATE TABLE IF NOT EXISTS deid_code (
  original BLOB, attempt INTEGER NOT NULL, seed BLOB, code TEXT NOT NULL UNIQUE,
  UNIQUE (original, attempt)
)"""


class SqliteVault:
    """A vault in one file whose write-ahead log is synced before a message is settled."""

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        self._path, self._patience = path, patience
        self._lock = Lock()
        self._open: tuple[int, sqlite3.Connection] | None = None
        self._unsettled = False

    def seed(self, original: bytes, attempt: int, code: Callable[[bytes], str]) -> bytes:
        """Return the random bytes of an original's nth attempt.

        Raises:
            SurrogateError: the database does not answer, or codes have run out.
        """

        def find() -> bytes | None:
            sql = "SELECT seed FROM deid_code WHERE original = ? AND attempt = ?"
            rows = self._run(sql, original, attempt).fetchall()
            return rows[0][0] if rows else None

        def add(seed: bytes, drawn: str) -> bool:
            sql = "INSERT INTO deid_code VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
            return self._run(sql, original, attempt, seed, drawn).rowcount == 1

        return kept(find, add, code)

    def settle(self) -> None:
        """Wait until all codes returned since the last call are on disk, whoever generated them.

        A commit writes the log without waiting for the disk (``synchronous = NORMAL``); a
        checkpoint syncs what it moves from the log.

        Raises:
            SurrogateError: the disk fails.
        """
        if not self._unsettled:
            return
        try:
            with suppress(FileNotFoundError):  # the whole log was moved to the database
                log = os.open(f"{self._path}-wal", os.O_RDWR)
                try:
                    os.fsync(log)
                finally:
                    os.close(log)
        except OSError:
            raise SurrogateError("no-vault") from None
        self._unsettled = False

    def erase(self, original: bytes) -> int:
        """Erase an original and return its number of codes, which stay reserved.

        Raises:
            SurrogateError: the database does not answer.
        """
        sql = "UPDATE deid_code SET original = NULL, seed = NULL WHERE original = ?"
        return self._run(sql, original).rowcount

    def count(self) -> int:
        """Return the number of codes of originals that are not erased.

        Raises:
            SurrogateError: the database does not answer.
        """
        sql = "SELECT count(*) FROM deid_code WHERE original IS NOT NULL"
        return int(self._run(sql).fetchone()[0])

    def close(self) -> None:
        """Close the connection, unless another process opened it."""
        if self._open is not None and self._open[0] == os.getpid():
            self._open[1].close()
        self._open = None

    def _run(self, sql: str, *values: object) -> sqlite3.Cursor:
        try:
            with self._lock:
                self._unsettled = True
                return self._connection().execute(sql, values)
        except (sqlite3.Error, OSError):
            raise SurrogateError("no-vault") from None

    def _connection(self) -> sqlite3.Connection:
        """Return this process's own connection: SQLite's must not be used across a fork."""
        if self._open is None or self._open[0] != os.getpid():
            self._open = os.getpid(), self._connected()
        return self._open[1]

    def _connected(self) -> sqlite3.Connection:
        with suppress(FileExistsError):  # closing it would release other connections' locks
            os.close(os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
        connection = sqlite3.connect(
            self._path, timeout=self._patience, isolation_level=None, check_same_thread=False
        )
        try:
            for pragma in ("journal_mode = WAL", "synchronous = NORMAL", "secure_delete = ON"):
                connection.execute(f"PRAGMA {pragma}").fetchall()
            connection.execute(_SCHEMA)
        except sqlite3.Error:
            connection.close()
            raise
        return connection
