"""Run compiled views in DuckDB; what goes wrong is told without any text of the data."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.views import sql
from adapter.mart.views.values import MARK

if TYPE_CHECKING:
    from collections.abc import Iterator

    import duckdb

    from adapter.mart.views.compiler import CompiledView


def create_table(connection: duckdb.DuckDBPyConnection, view: CompiledView) -> int:
    """Make a table of a view's rows, under the view's name; how many rows there are.

    Raises:
        RuleError: the view fails on the data; the error names its file, and the place if known.
    """
    with failures(view):
        connection.execute(f"CREATE TABLE {sql.name(view.name)} AS {view.sql}")
        found = connection.execute(f"SELECT count(*) FROM {sql.name(view.name)}").fetchone()
    return int(found[0]) if found else 0


@contextmanager
def failures(view: CompiledView) -> Iterator[None]:
    """Turn an error of DuckDB, which may quote a value, into one that names the view's place."""
    import duckdb  # noqa: PLC0415 - an extra

    try:
        yield
    except duckdb.Error as error:
        place, _, problem = str(error).partition(MARK)[2].partition("\n")[0].rpartition(": ")
        if place:
            raise RuleError(place, problem) from None
        raise RuleError(view.source, f"the query failed ({type(error).__name__})") from None
