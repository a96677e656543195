"""The residual risk of a release: diversity in each cell, and rare values not judged.

Diversity is counted over persons' cells, so that a person with many visits is one person;
k-anonymity is the gate's least cell.
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
    """The fewest distinct values of a sensitive column in a cell of the quasi-identifiers.

    A missing value counts as a value, the same one for all persons without it.
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
    """l-diversity of each sensitive "view.column" over the table of persons' cells.

    Raises:
        RuleError: it is no column of the release.
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
    """Persons who have a value that fewer than ``least`` share, of each column not ``judged``.

    Columns ("view.column") without such a person are left out, and so are keys and free texts, of
    which nearly every value is one person's.
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
