"""The residual risk of a release: l-diversity of cells, and rare values that the gate ignores.

Diversity is counted over persons' cells, so that a person with many visits counts once. The k of
k-anonymity is the gate's smallest cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.release.columns import FREE_TEXT, KEY, PERSON
from adapter.mart.views import sql

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import duckdb

    from adapter.mart.release.tables import Table


def l_diversity(
    connection: duckdb.DuckDBPyConnection,
    relation: str,
    quasi_identifiers: Sequence[str],
    sensitive: str,
) -> int:
    """Return the minimum number of distinct values of a sensitive column in a cell.

    Missing values count as one value.
    """
    groups = ", ".join(sql.name(name) for name in quasi_identifiers)
    value = f"coalesce(CAST({sql.name(sensitive)} AS VARCHAR), '')"
    query = (
        f"SELECT min(n) FROM (SELECT count(DISTINCT {value}) AS n"
        f" FROM {relation} GROUP BY {groups})"
    )
    found = connection.execute(query).fetchone()
    return int(found[0] or 0) if found else 0


def diversity(
    connection: duckdb.DuckDBPyConnection,
    cells: str,
    count: int,
    tables: Sequence[Table],
    sensitive: Sequence[str],
) -> dict[str, int]:
    """Return the l-diversity of each sensitive "view.column" over the table of persons' cells.

    Raises:
        RuleError: one of them is not a column of the release.
    """
    named = {table.name: table for table in tables}
    found = {}
    for name in sensitive:
        view, _, column = name.partition(".")
        if view not in named or column not in named[view].columns:
            raise RuleError("release.sensitive", f"the release has no column {name}")
        value = f"SELECT DISTINCT {PERSON}, {sql.name(column)} AS value FROM {sql.name(view)}"
        relation = f"(FROM {cells} LEFT JOIN ({value}) USING ({PERSON}))"
        quasis = [f"q{n}" for n in range(count)]
        found[name] = l_diversity(connection, relation, quasis, "value")
    return found


def rare(
    connection: duckdb.DuckDBPyConnection,
    tables: Sequence[Table],
    judged: Iterable[str],
    least: int,
) -> dict[str, int]:
    """Return the number of persons with a value shared by fewer than ``least``, by column.

    Columns ("view.column") in ``judged`` or without such persons are left out, and so are keys and
    free texts, whose values are nearly all unique.
    """
    known, found = set(judged), {}
    for table in tables:
        for column in table.split.released:
            name = f"{table.name}.{column.name}"
            if name not in known and column.fhir not in {KEY, *FREE_TEXT}:
                found[name] = _rare(connection, table.name, column.name, least)
    return {name: persons for name, persons in found.items() if persons}


def _rare(connection: duckdb.DuckDBPyConnection, view: str, column: str, least: int) -> int:
    value, rows = sql.name(column), sql.name(view)
    few = (
        f"SELECT {value} FROM {rows} WHERE {value} IS NOT NULL"
        f" GROUP BY {value} HAVING count(DISTINCT {PERSON}) < {least}"
    )
    query = f"SELECT count(DISTINCT {PERSON}) FROM {rows} WHERE {value} IN ({few})"
    counted = connection.execute(query).fetchone()
    return int(counted[0]) if counted else 0
