"""The data dictionary: meaning and completeness of tables and columns, and excluded columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adapter.mart.release.columns import KEY, PERSON
from adapter.mart.release.report.counts import publishable, single
from adapter.mart.views import sql

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

    from adapter.mart.release.plan import Plan
    from adapter.mart.release.tables import Table
    from adapter.mart.views.columns import Field

CODED = frozenset({"code", "boolean"})
MOST_VALUES = 12
PERSON_IS = "Key of the person in this release; no other release has the same"
PERCENT = 100


def dictionary(
    connection: duckdb.DuckDBPyConnection, tables: Sequence[Table], plan: Plan
) -> list[dict[str, Any]]:
    """Return each table with its columns; counts are publishable, None if suppressed."""
    return [_table(connection, table, plan) for table in tables]


def _table(connection: duckdb.DuckDBPyConnection, table: Table, plan: Plan) -> dict[str, Any]:
    name = sql.name(table.name)
    found = connection.execute(f"SELECT count(DISTINCT {PERSON}) FROM {name}").fetchone()
    persons = int(found[0]) if found else 0
    few = 0 < persons < plan.minimum
    filled = _filled(connection, table)
    return {
        "table": table.name,
        "description": table.view.description,
        "resource": table.view.resource,
        "rows": None if few else single(table.rows, plan.minimum, plan.rounding),
        "persons": single(persons, plan.minimum, plan.rounding),
        "columns": [
            {"name": PERSON, "type": "VARCHAR", "description": PERSON_IS, "filled": PERCENT},
            *(
                {
                    **_column(connection, table, column, plan, few=few),
                    "filled": None if few else _share(filled[column.name], table.rows, plan),
                }
                for column in table.split.released
            ),
        ],
        "left_out": [{"name": name, "reason": why} for name, why in table.split.left_out],
    }


def _column(
    connection: duckdb.DuckDBPyConnection, table: Table, column: Field, plan: Plan, *, few: bool
) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": column.name,
        "type": column.type,
        "fhir": column.fhir,
        "description": column.description,
    }
    if column.fhir in CODED and column.fhir != KEY and not few:
        described["values"] = _values(connection, table, column, plan)
    return described


def _filled(connection: duckdb.DuckDBPyConnection, table: Table) -> dict[str, int]:
    """Return the number of rows with a value, by column."""
    names = [column.name for column in table.split.released]
    counts = ", ".join(f"count({sql.name(name)})" for name in names)
    found = connection.execute(f"SELECT {counts} FROM {sql.name(table.name)}").fetchone()
    return dict(zip(names, found or (), strict=True))


def _share(filled: int, rows: int, plan: Plan) -> int | None:
    """Return the share of rows with a value, in percent; None if few rows have or lack one."""
    shares = publishable({"yes": filled, "no": rows - filled}, plan.minimum)
    return None if shares["yes"] is None or not rows else round(PERCENT * filled / rows)


def _values(
    connection: duckdb.DuckDBPyConnection, table: Table, column: Field, plan: Plan
) -> list[dict[str, Any]]:
    """Return the most frequent values, with their publishable numbers of persons."""
    name = sql.name(column.name)
    rows = connection.execute(
        f"SELECT CAST({name} AS VARCHAR) AS value, count(DISTINCT {PERSON}) AS n"
        f" FROM {sql.name(table.name)} WHERE {name} IS NOT NULL"
        f" GROUP BY value ORDER BY n DESC, value"
    ).fetchall()
    counts = publishable(dict(rows), plan.minimum, plan.rounding)
    shown = [(value, n) for value, n in counts.items() if n]
    return [{"value": value, "persons": n} for value, n in shown[:MOST_VALUES]]
