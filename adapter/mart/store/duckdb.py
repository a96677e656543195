"""The mart in a DuckDB file: embedded, one process at a time (extra ``mart``)."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import pyarrow as pa

from adapter.errors import MartError
from adapter.transports.files.disk import sync

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from adapter.mart.store.database import Columns, Row

SCHEMA = "ops"
_AT_ONCE = 10_000
_LOCKED = "lock"
_MAGIC, _AT = b"DUCK", 8
"""Bytes of every DuckDB file, and where they stand."""


class DuckDatabase:
    """One file, which DuckDB locks against other processes; a link stands for its target."""

    def __init__(self, path: Path) -> None:
        self._path = Path(os.path.realpath(path))
        self._connection: duckdb.DuckDBPyConnection | None = None

    def open(self, statements: Sequence[str]) -> None:
        """Connect, create missing tables, and remove files of an interrupted compaction.

        Raises:
            MartError: another process has locked the file, or it cannot be used.
        """
        shutil.rmtree(self._remains(), ignore_errors=True)
        for statement in statements:
            self.changed(statement)

    def _connected(self) -> duckdb.DuckDBPyConnection:
        if self._connection is None:
            new = not self._path.exists()
            if not new:
                self._check()
            connection = duckdb.connect(str(self._path))
            if new:
                self._path.chmod(0o600)
            shutil.rmtree(f"{self._path}.tmp", ignore_errors=True)  # of a killed process
            self._own_log()
            connection.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
            connection.execute(f"USE {SCHEMA}")
            self._connection = connection
        return self._connection

    def _check(self) -> None:
        """Refuse a file of another kind: DuckDB opens a table file as a database in memory.

        Raises:
            MartError: the file is not a DuckDB database.
            OSError: it cannot be read.
        """
        with self._path.open("rb") as file:
            start = file.read(_AT + len(_MAGIC))
        if start[_AT:] != _MAGIC:
            raise MartError("no-store")

    def _own_log(self) -> None:
        """Create the write-ahead log with mode 0600; DuckDB would create it world-readable."""
        log = self._path.with_name(f"{self._path.name}.wal")
        if not log.exists():
            log.touch(0o600)

    @contextmanager
    def _guarded(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Convert the database's errors to codes, because its error texts may quote rows."""
        try:
            connection = self._connected()
            self._own_log()
            yield connection
        except (duckdb.Error, OSError) as error:
            locked = self._connection is None and _LOCKED in str(error)
            self.close()
            raise (MartError("locked") if locked else MartError("no-store")) from None

    @contextmanager
    def transaction(self, *, alone: bool = False) -> Iterator[None]:
        """Commit at the end of the block, or roll back on an exception; always exclusive."""
        del alone
        with self._guarded() as connection:
            connection.execute("BEGIN")
        try:
            yield
        except BaseException:
            self._roll_back()
            raise
        with self._guarded() as connection:
            connection.execute("COMMIT")

    def _roll_back(self) -> None:
        if self._connection is not None:
            with suppress(duckdb.Error):
                self._connection.execute("ROLLBACK")

    def rows(self, sql: str, *values: object) -> list[Row]:
        """Return the rows of a statement."""
        with self._guarded() as connection:
            return connection.execute(sql, values).fetchall()

    def changed(self, sql: str, *values: object) -> int:
        """Run a statement and return the number of rows it changed."""
        rows = self.rows(sql, *values)
        return int(rows[0][0]) if rows else 0

    def stream(self, sql: str, *values: object) -> Iterator[Row]:
        """Yield the rows of a query that may exceed memory."""
        with self._guarded() as connection:
            cursor = connection.cursor()
            cursor.execute(f"USE {SCHEMA}")
            cursor.execute(sql, values)
        try:
            while rows := cursor.fetchmany(_AT_ONCE):
                yield from rows
        finally:
            cursor.close()

    def append(self, table: str, columns: Columns) -> None:
        """Add rows from an Arrow table."""
        self._insert(table, columns, "")

    def append_new(self, table: str, columns: Columns, key: str) -> set[str]:
        """Add the rows whose key is new, and return their keys."""
        rows = self._insert(table, columns, f"ON CONFLICT DO NOTHING RETURNING {key}")
        return {row[0] for row in rows}

    def _insert(self, table: str, columns: Columns, ending: str) -> list[Row]:
        if not len(next(iter(columns.values()))):
            return []
        names = ", ".join(columns)
        with self._guarded() as connection:
            connection.register("given", pa.table({k: list(v) for k, v in columns.items()}))
            insert = f"INSERT INTO {table} ({names}) SELECT {names} FROM given {ending}"  # noqa: S608
            rows = connection.execute(insert).fetchall()
            connection.unregister("given")
        return rows

    def compact(self, tables: Sequence[str]) -> None:
        """Copy the database to a new file, which replaces the old one.

        Deleted rows otherwise stay in the blocks of a DuckDB file until the blocks are reused.
        """
        del tables
        fresh = self._remains() / self._path.name
        with self._guarded() as connection:
            shutil.rmtree(self._remains(), ignore_errors=True)
            self._remains().mkdir(0o700)
            connection.execute("CHECKPOINT")
            ((own,),) = connection.execute("SELECT current_database()").fetchall()
            connection.execute(f"ATTACH '{_quoted(fresh)}' AS fresh")
            connection.execute(f'COPY FROM DATABASE "{own}" TO fresh')
            connection.execute("DETACH fresh")
            fresh.chmod(0o600)
            sync(fresh)
            fresh.replace(self._path)
            sync(self._path.parent)
        self.close()
        shutil.rmtree(self._remains(), ignore_errors=True)

    def _remains(self) -> Path:
        """Return the path of the folder for the copy during compaction."""
        return self._path.with_name(f".{self._path.name}.compact")

    def close(self) -> None:
        """Close the file."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(duckdb.Error):
                connection.close()


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")
