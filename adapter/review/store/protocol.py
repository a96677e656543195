"""The interface of the console's databases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractContextManager


class StoreError(Exception):
    """The database does not answer or reports an error; the transaction was rolled back."""


class Conflict(StoreError):  # noqa: N818 - the word shown to people
    """The row was changed by somebody else in the meantime; nothing was written."""


class Cursor(Protocol):
    """The statements of one transaction."""

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a query and return its rows; parameters are written ``?``."""

    def run(self, sql: str, *values: object) -> int:
        """Run a statement and return the number of rows it changed."""


class Database(Protocol):
    """A database with serialized transactions; every failure is a `StoreError`."""

    def transaction(self) -> AbstractContextManager[Cursor]:
        """Return a transaction: committed when the block ends, rolled back on an exception.

        Raises:
            StoreError: the database does not answer or reports an error.
        """

    def close(self) -> None:
        """Close the database."""
