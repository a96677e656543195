"""The mart's databases by URL scheme; to add one, add a line to `DATABASES`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.config.database_urls import Kind, Registry, file_of
from adapter.errors import RuleError
from adapter.mart.store.sql import SqlStore

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.mart.store.database import Database
    from adapter.mart.store.protocol import Store

_PLACE = "mart.url"


def _duckdb(url: str, _project: str) -> Database:
    try:
        from adapter.mart.store.duckdb import DuckDatabase  # noqa: PLC0415 - an extra
    except ImportError:
        raise RuleError(_PLACE, "the mart needs the extra 'mart'") from None
    file = file_of(url)
    if file.is_file() and file.stat().st_nlink > 1:  # compaction would leave erased rows there
        raise RuleError(_PLACE, "has several hard links; give the file one name")
    return DuckDatabase(file)


def _postgres(url: str, project: str) -> Database:
    try:
        from adapter.mart.store.postgres import PostgresDatabase  # noqa: PLC0415 - an extra
    except ImportError:
        raise RuleError(_PLACE, "PostgreSQL needs the extra 'mart'") from None
    return PostgresDatabase(url, f"mart_{project}")


DATABASES: dict[str, Kind[Callable[[str, str], Database]]] = {
    "duckdb": Kind("duckdb:///FILE", _duckdb, a_file=True),
    "postgresql": Kind("postgresql://...", _postgres),
    "postgres": Kind("postgresql://...", _postgres),
}
"""Databases that can hold a mart."""
MARTS = Registry(_PLACE, DATABASES)


def open_store(url: str, project: str = "default") -> Store:
    """Open the mart of a project, and create its tables if they are missing.

    Raises:
        RuleError: no database has this scheme, or its library is not installed.
        MartError: the database cannot be opened or used, or another process has locked it.
    """
    return SqlStore(MARTS.kind(url).make(url, project))
