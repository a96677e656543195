"""Creates the tables of the OMOP CDM in DuckDB, from the tables of a release."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.mart.omop.vocabularies import load_vocabularies
from adapter.mart.views import sql

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    import duckdb

SCHEMA = "omop"
PERSON, VISIT = "person_key", "visit_key"
RANKED = {
    "person": ("person_rank", PERSON, "year_of_birth IS NOT NULL"),
    "visit_occurrence": (
        "visit_rank",
        VISIT,
        f"visit_start_date IS NOT NULL AND {PERSON} IN (SELECT {PERSON} FROM person_rank)",
    ),
}
"""Referenced tables -> (table of ranks, key column, condition for rows that get a rank)."""
VERSION = "v5.4"
MACROS = (
    """whole_day(t) AS TRY_CAST(CASE length(t) WHEN 4 THEN t || '-01-01' WHEN 7 THEN t || '-01'
    ELSE left(t, 10) END AS DATE)""",
    "moment(t) AS TRY_CAST(replace(left(t, 19), 'T', ' ') AS TIMESTAMP)",
    "short(t, n) AS left(t, n)",
)


@dataclass(frozen=True, slots=True)
class Rules:
    """``rules/mart/omop``: the columns of each table, the queries in order, the vocabularies."""

    columns: Mapping[str, Mapping[str, str]] = field(repr=False)
    queries: tuple[Mapping[str, str], ...] = field(repr=False)
    vocabularies: Mapping[str, str] = field(repr=False)


def read_rules(folder: Path) -> Rules:
    """Read the rules from a folder.

    Raises:
        RuleError: a query is for a table without columns.
    """
    columns, queries = (
        tomllib.loads((folder / f"{name}.toml").read_text("utf-8"))
        for name in ("columns", "queries")
    )
    for table in queries["table"]:
        if table["name"] not in columns:
            raise RuleError("omop/queries.toml", f"{table['name']} has no columns")
    return Rules(columns, tuple(queries["table"]), queries["vocabularies"])


def make_omop(
    connection: duckdb.DuckDBPyConnection,
    rules: Rules,
    source: Mapping[str, Any],
    vocabularies: Path | None = None,
) -> dict[str, int]:
    """Create all tables in the schema ``omop``, and return the row count of each.

    ``source`` are columns of ``cdm_source``. Integer ids are ranks of the release's keys, which are
    hashes, so they reveal no order. A row without a required value, or of a person without a birth
    year, is left out.

    Raises:
        RuleError: a vocabulary file is missing.
    """
    connection.execute(f"CREATE SCHEMA {SCHEMA}")
    for macro in MACROS:
        connection.execute(f"CREATE TEMP MACRO {macro}")
    load_vocabularies(connection, rules.vocabularies, vocabularies)
    for name, columns in rules.columns.items():
        typed = ", ".join(_typed(column, kind) for column, kind in columns.items())
        connection.execute(f"CREATE TABLE {SCHEMA}.{name} ({typed})")
    for table in rules.queries:
        _make(connection, table, rules.columns[table["name"]])
    names = ", ".join(sql.name(name) for name in source)
    marks = ", ".join("?" for _ in source)
    connection.execute(
        f"INSERT INTO {SCHEMA}.cdm_source ({names}) VALUES ({marks})", list(source.values())
    )
    return {name: _count(connection, name) for name in rules.columns}


def _typed(column: str, kind: str) -> str:
    required = " NOT NULL" if kind.endswith("!") else ""
    return f"{sql.name(column)} {kind.rstrip('!')}{required}"


def _make(
    connection: duckdb.DuckDBPyConnection, table: Mapping[str, str], columns: Mapping[str, str]
) -> None:
    """Fill a table from its query; keys are replaced by ranks."""
    name = table["name"]
    connection.execute(f"CREATE OR REPLACE TEMP TABLE found AS {table['query']}")
    given = {row[0] for row in connection.execute("DESCRIBE found").fetchall()}
    if name in RANKED:
        _rank(connection, *RANKED[name])
    chosen = dict(_chosen(name, table.get("key"), given, columns))
    query = ", ".join(f"{expression} AS {sql.name(c)}" for c, expression in chosen.items())
    joins = f"JOIN person_rank USING ({PERSON})"
    if VISIT in given:
        joins += f" LEFT JOIN visit_rank USING ({VISIT})"
    required = [c for c, kind in columns.items() if kind.endswith("!") and c in chosen]
    tests = " AND ".join(f"{sql.name(c)} IS NOT NULL" for c in required)
    connection.execute(
        f"INSERT INTO {SCHEMA}.{name} BY NAME"
        f" SELECT * FROM (SELECT {query} FROM found {joins}) WHERE {tests}"
    )


def _chosen(
    name: str, key: str | None, given: set[str], columns: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield (column, SQL) of a table."""
    yield "person_id", "person_rank.rank"
    if VISIT in given:
        yield "visit_occurrence_id", "visit_rank.rank"
    if key:
        yield f"{name}_id", f"CAST(row_number() OVER (ORDER BY found.{key}) AS INTEGER)"
    yield from ((column, f"found.{sql.name(column)}") for column in columns if column in given)


def _rank(connection: duckdb.DuckDBPyConnection, name: str, key: str, where: str) -> None:
    """Create the table of the ranks of the keys in ``found``."""
    connection.execute(
        f"CREATE TEMP TABLE {name} AS SELECT {key},"
        f" CAST(row_number() OVER (ORDER BY {key}) AS INTEGER) AS rank FROM found WHERE {where}"
    )


def _count(connection: duckdb.DuckDBPyConnection, name: str) -> int:
    found = connection.execute(f"SELECT count(*) FROM {SCHEMA}.{name}").fetchone()
    return int(found[0]) if found else 0
