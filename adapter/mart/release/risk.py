"""How well the persons of a release are hidden: the diversity of what is sensitive in each cell.

It is counted over persons' cells, so that a person with many visits is one person; k-anonymity is
the gate's least cell.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.release.columns import PERSON
from adapter.mart.views import sql

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

    from adapter.mart.release.tables import Table


def l_diversity(
    connection: duckdb.DuckDBPyConnection,
    relation: str,
    quasi_identifiers: Sequence[str],
    sensitive: str,
) -> int:
    """The fewest distinct values of a sensitive column in a cell of the quasi-identifiers.

    No value is a value too: that nothing is known is shared by all persons without one.
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
            raise RuleError("release.sensitive", f"{name} is no column of the release")
        value = f"SELECT DISTINCT {PERSON}, {sql.name(column)} AS value FROM {sql.name(view)}"
        relation = f"(FROM {cells} LEFT JOIN ({value}) USING ({PERSON}))"
        quasis = [f"q{n}" for n in range(count)]
        found[name] = l_diversity(connection, relation, quasis, "value")
    return found
