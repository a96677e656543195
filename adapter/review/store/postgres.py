"""The console's database in PostgreSQL (extra ``postgres``)."""

from __future__ import annotations

from contextlib import contextmanager
from threading import RLock
from typing import TYPE_CHECKING, Any

import psycopg

from adapter.review.store.protocol import StoreError
from adapter.review.store.schema import statements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.review.store.protocol import Cursor

PATIENCE = 5
"""Timeout in seconds of connections, statements and locks."""
_TURN = 0x72657669
"""Advisory lock that serializes transactions, so that events form one chain."""


class _Cursor:
    def __init__(self, connection: psycopg.Connection[Any]) -> None:
        self._connection = connection

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        return self._connection.execute(_with_placeholders(sql), values).fetchall()

    def run(self, sql: str, *values: object) -> int:
        return self._connection.execute(_with_placeholders(sql), values).rowcount


def _with_placeholders(sql: str) -> str:
    return sql.replace("?", "%s")


class PostgresDatabase:
    """A database with one connection, which is reopened after a failure."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._lock = RLock()
        self._open: psycopg.Connection[Any] | None = None
        with self.transaction() as cursor:
            for statement in statements("bytea"):
                cursor.run(statement)

    @contextmanager
    def transaction(self) -> Iterator[Cursor]:
        """Run a transaction, serialized with all other transactions of the console.

        Raises:
            StoreError: the server does not answer or reports an error.
        """
        with self._lock:
            try:
                connection = self._connected()
                with connection.transaction():
                    connection.execute("SELECT pg_advisory_xact_lock(%s)", (_TURN,))
                    yield _Cursor(connection)
            except psycopg.Error:
                self.close()
                raise StoreError("the database refuses") from None

    def _connected(self) -> psycopg.Connection[Any]:
        if self._open is None or self._open.closed:
            limit = f"-c statement_timeout={PATIENCE * 1000} -c lock_timeout={PATIENCE * 1000}"
            self._open = psycopg.connect(
                self._url, autocommit=True, connect_timeout=PATIENCE, options=limit
            )
        return self._open

    def close(self) -> None:
        """Close the connection."""
        if self._open is not None:
            self._open.close()
        self._open = None
