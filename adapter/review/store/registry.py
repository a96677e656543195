"""The console's databases by URL scheme; a new one needs one line in `REVIEWS`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.config.database_urls import Kind, Registry, file_of
from adapter.errors import RuleError
from adapter.review.store.protocol import StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.review.store.protocol import Database

_PLACE = "review.url"


def _sqlite(url: str) -> Database:
    from adapter.review.store.sqlite import SqliteDatabase  # noqa: PLC0415 - opened when asked for

    return SqliteDatabase(file_of(url))


def _postgres(url: str) -> Database:
    try:
        from adapter.review.store.postgres import PostgresDatabase  # noqa: PLC0415 - an extra
    except ImportError:
        raise RuleError(_PLACE, "PostgreSQL needs the extra 'postgres'") from None
    return PostgresDatabase(url)


REVIEWS: dict[str, Kind[Callable[[str], Database]]] = {
    "sqlite": Kind("sqlite:///FILE", _sqlite, a_file=True),
    "postgresql": Kind("postgresql://...", _postgres),
    "postgres": Kind("postgresql://...", _postgres),
}
"""The supported databases, by URL scheme."""
STORES = Registry(_PLACE, REVIEWS)


def open_database(url: str) -> Database:
    """Open the database at a URL, and create its tables if they do not exist.

    Raises:
        RuleError: no database has this scheme, its library is not installed, or it cannot be used.
    """
    try:
        return STORES.kind(url).make(url)
    except StoreError:
        raise RuleError(_PLACE, "the database cannot be opened or used") from None
