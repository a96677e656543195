"""The mart in PostgreSQL, with one schema for each project (extra ``mart``)."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import sql as names_of

from adapter.errors import MartError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.mart.store.database import Columns, Row

_AT_ONCE = 2_000
_TYPES = {"seq": "int8", "part": "int4", "idx": "int4", "days": "int4", "n": "int4"}
_TYPES |= {"keyless": "int4", "landed": "date", "erased_on": "date", "compacted": "bool"}
"""PostgreSQL's types of columns that are not text."""


class PostgresDatabase:
    """One schema, for any number of loaders; reconnects after a failure.

    ``patience`` is the connection timeout in seconds.
    """

    def __init__(self, url: str, schema: str, patience: float = 10.0) -> None:
        self._url, self._schema, self._patience = url, schema, patience
        self._connection: psycopg.Connection[Any] | None = None

    def open(self, statements: Sequence[str]) -> None:
        """Connect, and create missing tables, one process at a time.

        If all tables exist, a reader needs no right to create any.

        Raises:
            MartError: the database does not answer, or reports an error.
        """
        there = "SELECT count(*) FROM pg_tables WHERE schemaname = ?"
        if self.rows(there, self._schema)[0][0] >= len(statements):
            return
        with self.transaction(alone=True):
            make = names_of.SQL("CREATE SCHEMA IF NOT EXISTS {}")
            self._execute(make.format(names_of.Identifier(self._schema)))
            for statement in statements:
                self.changed(statement)

    def _connected(self) -> psycopg.Connection[Any]:
        if self._connection is None or self._connection.closed:
            self._connection = psycopg.connect(
                self._url, autocommit=True, connect_timeout=max(1, round(self._patience))
            )
            path = names_of.SQL("SET search_path TO {}")
            self._connection.execute(path.format(names_of.Identifier(self._schema)))
            self._connection.execute("SET client_min_messages TO warning")
        return self._connection

    @contextmanager
    def _guarded(self) -> Iterator[psycopg.Connection[Any]]:
        """Convert the server's errors to codes, because its error texts may quote rows."""
        try:
            yield self._connected()
        except (psycopg.Error, OSError):
            self.close()
            raise MartError("no-store") from None

    @contextmanager
    def transaction(self, *, alone: bool = False) -> Iterator[None]:
        """Commit at the end of the block, or roll back on an exception.

        An advisory lock, exclusive if ``alone``, otherwise shared, is held until then.
        """
        lock = "pg_advisory_xact_lock" + ("" if alone else "_shared")
        with self._guarded() as connection:
            connection.execute("BEGIN")
            connection.execute(f"SELECT {lock}(hashtext(%s))", (f"deid-mart {self._schema}",))
        try:
            yield
        except BaseException:
            self._roll_back()
            raise
        with self._guarded() as connection:
            connection.execute("COMMIT")

    def _roll_back(self) -> None:
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.execute("ROLLBACK")
                return
            self.close()

    def _execute(self, sql: Any, *values: object) -> psycopg.Cursor[Any]:
        with self._guarded() as connection:
            return connection.execute(sql, values)

    def rows(self, sql: str, *values: object) -> list[Row]:
        """Return the rows of a statement."""
        return self._execute(sql.replace("?", "%s"), *values).fetchall()

    def changed(self, sql: str, *values: object) -> int:
        """Run a statement and return the number of rows it changed."""
        return self._execute(sql.replace("?", "%s"), *values).rowcount

    def stream(self, sql: str, *values: object) -> Iterator[Row]:
        """Yield the rows of a query that may exceed memory, through a server-side cursor."""
        with (
            self._guarded() as connection,
            connection.transaction(),
            connection.cursor("mart") as cursor,
        ):
            cursor.itersize = _AT_ONCE
            cursor.execute(sql.replace("?", "%s"), values)
            yield from cursor

    def append(self, table: str, columns: Columns) -> None:
        """Add rows by COPY, in the server's binary format."""
        if not len(next(iter(columns.values()))):
            return
        copy = names_of.SQL("COPY {} ({}) FROM STDIN (FORMAT BINARY)").format(
            names_of.Identifier(table),
            names_of.SQL(", ").join(map(names_of.Identifier, columns)),
        )
        with (
            self._guarded() as connection,
            connection.cursor() as cursor,
            cursor.copy(copy) as target,
        ):
            target.set_types([_TYPES.get(name, "text") for name in columns])
            for row in zip(*columns.values(), strict=True):
                target.write_row(row)

    def append_new(self, table: str, columns: Columns, key: str) -> set[str]:
        """Add the rows whose key is new, through a temporary table; return their keys."""
        if not len(columns[key]):
            return set()
        given, names = f"given_{table}", ", ".join(columns)
        self._execute(f"CREATE TEMP TABLE {given} (LIKE {table}) ON COMMIT DROP")
        self.append(given, columns)
        insert = f"INSERT INTO {table} ({names}) SELECT {names} FROM {given}"  # noqa: S608
        new = self._execute(f"{insert} ON CONFLICT DO NOTHING RETURNING {key}")
        return {row[0] for row in new.fetchall()}

    def compact(self, tables: Sequence[str]) -> None:
        """Rewrite the tables, because deleted rows stay in their files until then."""
        for table in tables:
            self._execute(names_of.SQL("VACUUM FULL {}").format(names_of.Identifier(table)))

    def close(self) -> None:
        """Close the connection."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(psycopg.Error):
                connection.close()
