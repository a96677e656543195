"""The vault in a file of SQLite, for the processes of one machine."""

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
    """One file with a write-ahead log, which is on disk before a message is settled."""

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        self._path, self._patience = path, patience
        self._lock = Lock()
        self._open: tuple[int, sqlite3.Connection] | None = None
        self._unsettled = False

    def seed(self, original: bytes, attempt: int, code: Callable[[bytes], str]) -> bytes:
        """The random bytes of an original's nth attempt.

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
        """Wait until codes asked for since the last time are on disk, whoever drew them.

        A commit writes the log but does not wait for the disk (``synchronous = NORMAL``), and what
        a checkpoint moves from it is on disk before.

        Raises:
            SurrogateError: the disk refuses.
        """
        if not self._unsettled:
            return
        try:
            with suppress(FileNotFoundError):  # all of it was moved to the database
                log = os.open(f"{self._path}-wal", os.O_RDWR)
                try:
                    os.fsync(log)
                finally:
                    os.close(log)
        except OSError:
            raise SurrogateError("no-vault") from None
        self._unsettled = False

    def erase(self, original: bytes) -> int:
        """Forget an original; its codes stay taken.

        Raises:
            SurrogateError: the database does not answer.
        """
        sql = "UPDATE deid_code SET original = NULL, seed = NULL WHERE original = ?"
        return self._run(sql, original).rowcount

    def count(self) -> int:
        """Originals and attempts that have a code.

        Raises:
            SurrogateError: the database does not answer.
        """
        sql = "SELECT count(*) FROM deid_code WHERE original IS NOT NULL"
        return int(self._run(sql).fetchone()[0])

    def close(self) -> None:
        """Let go of the file."""
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
        """This process's own: SQLite's must not be carried over a fork."""
        if self._open is None or self._open[0] != os.getpid():
            self._open = os.getpid(), self._connected()
        return self._open[1]

    def _connected(self) -> sqlite3.Connection:
        with suppress(FileExistsError):  # to close it would end other connections' locks on it
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
