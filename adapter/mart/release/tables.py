"""Runs views into release tables, with release-specific ids for persons and keys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.release.columns import DATES, PERSON, LeftOut, Split
from adapter.mart.views import sql
from adapter.mart.views.compiler import CompiledView, compile_view
from adapter.mart.views.running import failures

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    import duckdb

    from adapter.mart.views.definitions import Definition

ID_DIGITS = 32
"""Number of hexadecimal digits of an id (128 bits)."""


@dataclass(frozen=True, slots=True)
class Table:
    """A DuckDB table named after its view: the person, then the columns to release."""

    view: CompiledView
    split: Split
    rows: int
    without_person: int

    @property
    def name(self) -> str:
        """The table's name."""
        return self.view.name

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of all columns."""
        return (PERSON, *(column.name for column in self.split.released))


def make_tables(
    connection: duckdb.DuckDBPyConnection,
    definitions: Iterable[Definition],
    schema: Mapping[str, Mapping[str, str]],
    left_out: LeftOut,
    salt: str,
) -> tuple[Table, ...]:
    """Create a table for each view from the table ``resource``.

    Ids are digests of the salt and the mart's ids, so they join tables within this release only. A
    row without a person is counted and left out.

    Raises:
        RuleError: a view cannot be compiled, fails on the data, or has no column to release.
    """
    return tuple(
        _table(connection, compile_view(view, schema, "resource", [PERSON]), left_out, salt)
        for view in definitions
    )


def _table(
    connection: duckdb.DuckDBPyConnection, view: CompiledView, left_out: LeftOut, salt: str
) -> Table:
    split = left_out.split(view)
    if not split.released:
        raise RuleError(view.source, "has no column that may be released")
    columns = ", ".join(
        [_id(PERSON, salt), *(_column(c.name, split, salt) for c in split.released)]
    )
    with failures(view):
        connection.execute(f"CREATE TEMP TABLE viewed AS {view.sql}")
    connection.execute(
        f"CREATE TABLE {sql.name(view.name)} AS"
        f" SELECT {columns} FROM viewed WHERE {PERSON} IS NOT NULL"
    )
    rows = _count(connection, sql.name(view.name))
    table = Table(view, split, rows, _count(connection, "viewed") - rows)
    connection.execute("DROP TABLE viewed")
    return table


def _column(name: str, split: Split, salt: str) -> str:
    return _id(name, salt) if name in split.keys else sql.name(name)


def _id(name: str, salt: str) -> str:
    """Return the SQL of a release id that replaces an id of the mart."""
    plain = f"{sql.text(salt)} || '|' || {sql.name(name)}"
    return f"substr(sha256({plain}), 1, {ID_DIGITS}) AS {sql.name(name)}"


def _count(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    found = connection.execute(f"SELECT count(*) FROM {table}").fetchone()
    return int(found[0]) if found else 0


def ordered(table: Table) -> str:
    """Return a query of a table's rows in an order that does not reveal the loading order.

    Rows are sorted by person, then by date, then by the other columns.
    """
    first = [PERSON] + ([table.split.date] if table.split.date else [])
    rest = [name for name in table.columns if name not in first]
    order = ", ".join(sql.name(name) for name in [*first, *rest])
    columns = ", ".join(sql.name(name) for name in table.columns)
    return f"SELECT {columns} FROM {sql.name(table.name)} ORDER BY {order}"


def years_only(connection: duckdb.DuckDBPyConnection, tables: Iterable[Table]) -> bool:
    """Return whether all dates in all tables are years only."""
    return not any(_longer(connection, table) for table in tables)


def _longer(connection: duckdb.DuckDBPyConnection, table: Table) -> bool:
    dates = [c.name for c in table.split.released if c.fhir in DATES]
    tests = [f"length(CAST({sql.name(name)} AS VARCHAR)) > 4" for name in dates]
    if not tests:
        return False
    query = f"SELECT 1 FROM {sql.name(table.name)} WHERE {' OR '.join(tests)} LIMIT 1"
    return connection.execute(query).fetchone() is not None
