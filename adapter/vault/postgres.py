"""The vault in PostgreSQL, shared by many machines (extra ``postgres``)."""

from __future__ import annotations

import os
from threading import Lock
from typing import TYPE_CHECKING, Any

import psycopg

from adapter.errors import SurrogateError
from adapter.vault.seeds import PATIENCE, kept

if TYPE_CHECKING:
    from collections.abc import Callable

_TABLE = """
CREATE TABLE IF NOT EXISTS deid_code (
  original bytea, attempt integer NOT NULL, seed bytea, code text NOT NULL UNIQUE,
  UNIQUE (original, attempt)
)"""
_WAIT = """
SELECT set_config('synchronous_commit', 'on', true), pg_logical_emit_message(true, 'deid', '')
"""
_TURN = 0x64656964
"""Advisory lock for creating the table, which fails if two sessions do it at once."""


class PostgresVault:
    """A vault in one table for any number of processes; reconnects after a failure."""

    def __init__(self, url: str, patience: float = PATIENCE) -> None:
        self._url, self._patience = url, patience
        self._lock = Lock()
        self._open: tuple[int, psycopg.Connection[Any]] | None = None
        self._unsettled = False

    def seed(self, original: bytes, attempt: int, code: Callable[[bytes], str]) -> bytes:
        """Return the random bytes of an original's nth attempt.

        Raises:
            SurrogateError: the database does not answer, or codes have run out.
        """

        def find() -> bytes | None:
            sql = "SELECT seed FROM deid_code WHERE original = %s AND attempt = %s"
            row = self._run(sql, original, attempt).fetchone()
            return bytes(row[0]) if row else None

        def add(seed: bytes, drawn: str) -> bool:
            sql = "INSERT INTO deid_code VALUES (%s, %s, %s, %s) ON CONFLICT DO NOTHING"
            return self._run(sql, original, attempt, seed, drawn).rowcount == 1

        return kept(find, add, code)

    def settle(self) -> None:
        """Wait until all codes returned since the last call are on disk, whoever generated them.

        Commits do not wait for the disk; one that does, and writes something, waits for all earlier
        ones.

        Raises:
            SurrogateError: the database does not answer.
        """
        if self._unsettled:
            self._run(_WAIT)
            self._unsettled = False

    def erase(self, original: bytes) -> int:
        """Erase an original and return its number of codes, which stay reserved.

        Raises:
            SurrogateError: the database does not answer.
        """
        sql = "UPDATE deid_code SET original = NULL, seed = NULL WHERE original = %s"
        return self._run(sql, original).rowcount

    def count(self) -> int:
        """Return the number of codes of originals that are not erased.

        Raises:
            SurrogateError: the database does not answer.
        """
        row = self._run("SELECT count(*) FROM deid_code WHERE original IS NOT NULL").fetchone()
        return int(row[0]) if row else 0

    def close(self) -> None:
        """Close the connection, unless another process opened it."""
        if self._open is not None and self._open[0] == os.getpid():
            self._open[1].close()
        self._open = None

    def _run(self, sql: str, *values: object) -> psycopg.Cursor[Any]:
        with self._lock:
            self._unsettled = True
            try:
                return self._executed(sql, values)
            except psycopg.Error:
                self.close()
                raise SurrogateError("no-vault") from None
            except BaseException:  # interrupted: the state of the connection is unknown
                self.close()
                raise

    def _executed(self, sql: str, values: tuple[object, ...]) -> psycopg.Cursor[Any]:
        """Execute a statement, again if the server closed the connection: all are idempotent."""
        before = self._open
        try:
            return self._connection().execute(sql, values)
        except psycopg.OperationalError:
            if before is None or not before[1].broken:
                raise
            self.close()
        return self._connection().execute(sql, values)

    def _connection(self) -> psycopg.Connection[Any]:
        if self._open is None or self._open[0] != os.getpid():
            self._open = os.getpid(), self._connected()
        return self._open[1]

    def _connected(self) -> psycopg.Connection[Any]:
        milliseconds = round(self._patience * 1000)
        connection = psycopg.connect(
            self._url,
            autocommit=True,
            connect_timeout=max(1, round(self._patience)),
            options=f"-c statement_timeout={milliseconds} -c lock_timeout={milliseconds}"
            " -c synchronous_commit=off",
        )
        with connection.transaction():
            connection.execute("SELECT pg_advisory_xact_lock(%s)", (_TURN,))
            connection.execute(_TABLE)
        return connection
