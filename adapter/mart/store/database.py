"""The part of a database that a store uses: common SQL, and a few operations of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    Row = tuple[Any, ...]
    Columns = Mapping[str, Sequence[Any]]
    """Name -> the values of all rows; all are of one length."""


class Database(Protocol):
    """A connection. Placeholders are "?"; tables are found without naming their schema.

    Whatever fails is a MartError "no-store", and the next call connects again.
    """

    def open(self, statements: Sequence[str]) -> None:
        """Connect, and create missing tables."""

    def transaction(self, *, alone: bool = False) -> AbstractContextManager[None]:
        """Commit at the end of the block, else roll back.

        Other ``alone`` transactions wait for its end; if it is ``alone``, all others do.
        """

    def rows(self, sql: str, *values: object) -> list[Row]:
        """Return the rows of a statement."""

    def changed(self, sql: str, *values: object) -> int:
        """Return how many rows a statement has changed."""

    def stream(self, sql: str, *values: object) -> Iterator[Row]:
        """The rows of a query that may be larger than memory."""

    def append(self, table: str, columns: Columns) -> None:
        """Add rows in the fastest way."""

    def append_new(self, table: str, columns: Columns, key: str) -> set[str]:
        """Add the rows whose key is new, and return their keys."""

    def compact(self, tables: Sequence[str]) -> None:
        """Rewrite the tables' files without deleted rows."""

    def close(self) -> None:
        """Close the connection."""
