"""A release as a schema of PostgreSQL that one role may read and nobody may change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.release.columns import PERSON
from adapter.mart.release.tables import Table, ordered
from adapter.mart.views import sql

if TYPE_CHECKING:
    from collections.abc import Iterable

    import duckdb
    import psycopg

ROWS = 10_000
TYPES = {"DOUBLE": "double precision", "VARCHAR": "text"}
"""Types of DuckDB that PostgreSQL calls otherwise."""


def write_schema(
    connection: duckdb.DuckDBPyConnection,
    tables: Iterable[Table],
    target: psycopg.Connection,
    schema: str,
    role: str | None,
) -> None:
    """Write each table into a new schema, in one transaction; ``role`` may read it.

    Raises:
        RuleError: there is a schema of this name.
    """
    quoted = sql.name(schema)
    with target.transaction(), target.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", [schema])
        if cursor.fetchone() is not None:
            raise RuleError(f"release {schema}", "its schema is there already")
        cursor.execute(f"CREATE SCHEMA {quoted}")
        for table in tables:
            _write(connection, table, cursor, quoted)
        cursor.execute(f"REVOKE ALL ON SCHEMA {quoted} FROM PUBLIC")
        if role:
            cursor.execute(f"GRANT USAGE ON SCHEMA {quoted} TO {sql.name(role)}")
            cursor.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {quoted} TO {sql.name(role)}")


def _write(
    connection: duckdb.DuckDBPyConnection, table: Table, cursor: psycopg.Cursor, schema: str
) -> None:
    name = f"{schema}.{sql.name(table.name)}"
    columns = [(PERSON, "VARCHAR"), *((c.name, c.type) for c in table.split.released)]
    typed = ", ".join(f"{sql.name(column)} {_type(kind)}" for column, kind in columns)
    cursor.execute(f"CREATE TABLE {name} ({typed})")
    found = connection.execute(ordered(table))
    with cursor.copy(f"COPY {name} FROM STDIN") as copy:
        while rows := found.fetchmany(ROWS):
            for row in rows:
                copy.write_row(row)


def _type(kind: str) -> str:
    bare = kind.removesuffix("[]")
    return TYPES.get(bare, bare) + ("[]" if kind.endswith("[]") else "")
