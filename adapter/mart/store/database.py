"""The interface of a database for the store: common SQL, and a few database-specific operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    Row = tuple[Any, ...]
    Columns = Mapping[str, Sequence[Any]]
    """Column name -> the values of all rows; all columns have the same length."""


class Database(Protocol):
    """A connection. Placeholders are "?"; table names need no schema.

    Every failure is raised as MartError "no-store", and the next call reconnects.
    """

    def open(self, statements: Sequence[str]) -> None:
        """Connect, and create missing tables."""

    def transaction(self, *, alone: bool = False) -> AbstractContextManager[None]:
        """Commit at the end of the block, or roll back on an exception.

        An ``alone`` transaction excludes all others.
        """

    def rows(self, sql: str, *values: object) -> list[Row]:
        """Return the rows of a statement."""

    def changed(self, sql: str, *values: object) -> int:
        """Run a statement and return the number of rows it changed."""

    def stream(self, sql: str, *values: object) -> Iterator[Row]:
        """Yield the rows of a query that may exceed memory."""

    def append(self, table: str, columns: Columns) -> None:
        """Add rows by the fastest method of the database."""

    def append_new(self, table: str, columns: Columns, key: str) -> set[str]:
        """Add the rows whose key is new, and return their keys."""

    def compact(self, tables: Sequence[str]) -> None:
        """Rewrite the files of the tables without deleted rows."""

    def close(self) -> None:
        """Close the connection."""
