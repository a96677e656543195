"""What a store needs of a database: SQL that all know, and the few things each does its own way."""

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
        """Connect, and make what is not there yet."""

    def transaction(self, *, alone: bool = False) -> AbstractContextManager[None]:
        """Commit at the end of the block, else roll back.

        Others that are ``alone`` wait for the end, as do all others where this one is.
        """

    def rows(self, sql: str, *values: object) -> list[Row]:
        """What a statement returns."""

    def changed(self, sql: str, *values: object) -> int:
        """How many rows a statement has changed."""

    def stream(self, sql: str, *values: object) -> Iterator[Row]:
        """The rows of a query that may be larger than memory."""

    def append(self, table: str, columns: Columns) -> None:
        """Add rows, the fastest way there is."""

    def append_new(self, table: str, columns: Columns, key: str) -> set[str]:
        """Add the rows whose key is not there yet; the keys of these."""

    def compact(self, tables: Sequence[str]) -> None:
        """Rewrite the tables' files without what was deleted."""

    def close(self) -> None:
        """Close the connection."""
