"""What a database of the console is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractContextManager


class StoreError(Exception):
    """The database does not answer or refuses; nothing of the step was kept."""


class Conflict(StoreError):  # noqa: N818 - the word people are told
    """Somebody else was first; nothing was changed."""


class Cursor(Protocol):
    """One transaction."""

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a query; parameters are written ``?``."""

    def run(self, sql: str, *values: object) -> int:
        """Run a statement; how many rows it changed."""


class Database(Protocol):
    """Transactions that follow one another; what fails is a `StoreError`."""

    def transaction(self) -> AbstractContextManager[Cursor]:
        """A transaction that sees no other half done, kept when the block ends without error.

        Raises:
            StoreError: the database does not answer or refuses.
        """

    def close(self) -> None:
        """Let go of the database."""
