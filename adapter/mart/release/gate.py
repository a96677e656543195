"""The gate: ensures that every cell of the quasi-identifiers has the minimum of distinct persons.

A cell is a combination of values that one person has, over all tables with a quasi-identifier. In a
small cell, the last quasi-identifier is suppressed first, together with every column of its view
that reads the same element. Completely suppressed rows form a cell too; while that cell is small,
the smallest other cell is suppressed as well (secondary suppression).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.release.columns import PERSON, related
from adapter.mart.views import sql

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import duckdb

    from adapter.mart.release.plan import Plan
    from adapter.mart.release.tables import Table

CELLS = "quasi_identifier_cell"
MOST_ROUNDS = 200


@dataclass(frozen=True, slots=True)
class Quasi:
    """A quasi-identifier: its table and column, and the columns suppressed with it."""

    table: Table
    column: str
    with_it: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name "view.column"."""
        return f"{self.table.name}.{self.column}"


@dataclass(frozen=True, slots=True)
class Passed:
    """The result of the gate: numbers of persons and cells, smallest cell (k), suppressed values.

    ``sizes`` are the persons of each cell, ascending; ``judged`` are the checked columns, including
    those that read the same elements.
    """

    persons: int
    cells: int
    k: int
    sizes: tuple[int, ...]
    suppressed: tuple[tuple[str, int], ...]
    judged: tuple[str, ...] = ()


def pass_gate(connection: duckdb.DuckDBPyConnection, tables: Sequence[Table], plan: Plan) -> Passed:
    """Suppress values in the tables until every cell has the minimum number of persons.

    Raises:
        RuleError: a quasi-identifier does not exist, there are fewer persons than the minimum, or
            no suppression suffices.
    """
    quasis = tuple(_quasis(tables, plan))
    persons = _persons(connection, tables)
    if persons < plan.minimum:
        raise RuleError(f"release {plan.name}", f"has fewer than {plan.minimum} persons in total")
    suppressed: Counter[str] = Counter()
    for _ in range(MOST_ROUNDS):
        before = suppressed.total()
        for position in reversed(range(len(quasis))):
            _suppress(connection, quasis, position, plan.minimum, suppressed)
        if suppressed.total() == before and not _secondary(connection, quasis, plan, suppressed):
            break
    sizes = cell_sizes(connection, quasis)
    if min(sizes, default=plan.minimum) < plan.minimum:
        raise RuleError(f"release {plan.name}", "no suppression makes all cells large enough")
    judged = {f"{quasi.table.name}.{column}" for quasi in quasis for column in quasi.with_it}
    counts = tuple(sorted(suppressed.items()))
    return Passed(persons, len(sizes), min(sizes, default=0), sizes, counts, tuple(sorted(judged)))


def _quasis(tables: Sequence[Table], plan: Plan) -> Iterator[Quasi]:
    named = {table.name: table for table in tables}
    for name in plan.quasi_identifiers:
        view, _, column = name.partition(".")
        if view not in named or column not in named[view].columns:
            raise RuleError("release.quasi_identifiers", f"the release has no column {name}")
        table = named[view]
        yield Quasi(table, column, related(table.view, table.split, column))


def _persons(connection: duckdb.DuckDBPyConnection, tables: Sequence[Table]) -> int:
    each = " UNION ".join(f"SELECT {PERSON} FROM {sql.name(table.name)}" for table in tables)
    found = connection.execute(f"SELECT count(*) FROM ({each})").fetchone()
    return int(found[0]) if found else 0


def make_cells(connection: duckdb.DuckDBPyConnection, quasis: Sequence[Quasi]) -> None:
    """Create the table of each person's distinct cells, with columns q0, q1 ... as text."""
    parts = []
    for table in dict.fromkeys(quasi.table.name for quasi in quasis):
        columns = ", ".join(
            f"CAST({sql.name(quasi.column)} AS VARCHAR) AS q{n}"
            for n, quasi in enumerate(quasis)
            if quasi.table.name == table
        )
        parts.append(f"(SELECT DISTINCT {PERSON}, {columns} FROM {sql.name(table)})")
    joined = " FULL JOIN ".join(
        part + (f" USING ({PERSON})" if n else "") for n, part in enumerate(parts)
    )
    order = ", ".join(f"q{n}" for n in range(len(quasis)))
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE {CELLS} AS SELECT DISTINCT {PERSON}, {order} FROM {joined}"
    )


def cell_sizes(connection: duckdb.DuckDBPyConnection, quasis: Sequence[Quasi]) -> tuple[int, ...]:
    """Return the number of distinct persons in each cell, ascending."""
    make_cells(connection, quasis)
    return sizes_of(connection, CELLS, _names(quasis))


def sizes_of(connection: duckdb.DuckDBPyConnection, relation: str, cells: str) -> tuple[int, ...]:
    """Return the distinct persons per combination of columns, ascending; the first is k.

    The value k is that of k-anonymity.
    """
    query = f"SELECT count(DISTINCT {PERSON}) AS n FROM {relation} GROUP BY {cells} ORDER BY n"
    return tuple(row[0] for row in connection.execute(query).fetchall())


def _names(quasis: Sequence[Quasi]) -> str:
    return ", ".join(f"q{n}" for n in range(len(quasis)))


def _suppress(
    connection: duckdb.DuckDBPyConnection,
    quasis: Sequence[Quasi],
    position: int,
    minimum: int,
    suppressed: Counter[str],
) -> None:
    """Suppress one quasi-identifier in the rows of small cells."""
    make_cells(connection, quasis)
    cells = _names(quasis)
    small = (
        f"SELECT {cells} FROM {CELLS} GROUP BY {cells} HAVING count(DISTINCT {PERSON}) < {minimum}"
    )
    _blank(connection, quasis, [position], small, suppressed)


def _secondary(
    connection: duckdb.DuckDBPyConnection,
    quasis: Sequence[Quasi],
    plan: Plan,
    suppressed: Counter[str],
) -> bool:
    """Suppress the smallest other cell if the suppressed cell is too small; return whether so."""
    make_cells(connection, quasis)
    cells = _names(quasis)
    blank = " AND ".join(f"q{n} IS NULL" for n in range(len(quasis)))
    query = f"SELECT count(DISTINCT {PERSON}) FROM {CELLS} WHERE {blank}"
    found = connection.execute(query).fetchone()
    if not found or not 0 < found[0] < plan.minimum:
        return False
    before = suppressed.total()
    smallest = (
        f"SELECT {cells} FROM {CELLS} WHERE NOT ({blank}) GROUP BY {cells}"
        f" ORDER BY count(DISTINCT {PERSON}), {cells} LIMIT 1"
    )
    _blank(connection, quasis, range(len(quasis)), smallest, suppressed)
    return suppressed.total() > before


def _blank(
    connection: duckdb.DuckDBPyConnection,
    quasis: Sequence[Quasi],
    positions: Sequence[int],
    chosen: str,
    suppressed: Counter[str],
) -> None:
    """Set quasi-identifiers to NULL in the rows of the chosen cells."""
    names = [f"q{n}" for n in range(len(quasis))]
    same = " AND ".join(f"c.{name} IS NOT DISTINCT FROM s.{name}" for name in names)
    connection.execute(
        f"CREATE OR REPLACE TEMP TABLE chosen_cell AS"
        f" SELECT DISTINCT c.* FROM {CELLS} c JOIN ({chosen}) s ON {same}"
    )
    chosen_quasis = [quasis[position] for position in positions]
    for table in dict.fromkeys(quasi.table.name for quasi in chosen_quasis):
        here = [quasi for quasi in chosen_quasis if quasi.table.name == table]
        rows = _blank_table(connection, quasis, here)
        for quasi in here:
            suppressed[quasi.name] += rows


def _blank_table(
    connection: duckdb.DuckDBPyConnection, quasis: Sequence[Quasi], chosen: Sequence[Quasi]
) -> int:
    """Set columns of one table to NULL in the rows of the chosen cells; return how many rows."""
    table = chosen[0].table.name
    own = [(n, quasi.column) for n, quasi in enumerate(quasis) if quasi.table.name == table]
    same = " AND ".join(
        f"CAST(t.{sql.name(column)} AS VARCHAR) IS NOT DISTINCT FROM c.q{n}" for n, column in own
    )
    names = dict.fromkeys(sql.name(name) for quasi in chosen for name in quasi.with_it)
    blanks = ", ".join(f"{name} = NULL" for name in names)
    filled = " OR ".join(f"t.{name} IS NOT NULL" for name in names)
    done = connection.execute(
        f"UPDATE {sql.name(table)} AS t SET {blanks} WHERE ({filled}) AND EXISTS"
        f" (SELECT 1 FROM chosen_cell c WHERE c.{PERSON} = t.{PERSON} AND {same})"
    ).fetchone()
    return int(done[0]) if done else 0
