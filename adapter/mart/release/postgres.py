"""A release as a PostgreSQL schema, which one role may read but not change."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.release.columns import PERSON
from adapter.mart.release.tables import Table, ordered
from adapter.mart.views import sql

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import duckdb
    import psycopg

ROWS = 10_000
COMMENT = "release with the manifest "
"""Prefix of the comment of a release's schema; the manifest's SHA-256 follows."""
TYPES = {"DOUBLE": "double precision", "VARCHAR": "text"}
"""DuckDB types with a different name in PostgreSQL."""


@dataclass(frozen=True, slots=True)
class ReleaseSchema:
    """A new schema in a database, which ``role`` may read."""

    name: str
    url: str = field(repr=False)
    role: str | None = None

    def write(
        self, connection: duckdb.DuckDBPyConnection, tables: Iterable[Table], digest: str
    ) -> None:
        """Write each table in one transaction; the schema's comment is the manifest's digest.

        Raises:
            RuleError: a schema of this name exists, or the database reports an error.
        """
        with _connected(self.url) as target, target.cursor() as cursor:
            if self._comment(cursor) is not None:
                raise RuleError(f"release {self.name}", "its schema already exists")
            quoted = sql.name(self.name)
            cursor.execute(f"CREATE SCHEMA {quoted}")
            for table in tables:
                _write(connection, table, cursor, quoted)
            cursor.execute(f"COMMENT ON SCHEMA {quoted} IS {sql.text(COMMENT + digest)}")
            self._grant(cursor, quoted)

    def has(self, digest: str) -> bool:
        """Return whether the schema exists and belongs to the release with this manifest.

        Raises:
            RuleError: the database does not answer.
        """
        with _connected(self.url) as target, target.cursor() as cursor:
            return self._comment(cursor) == COMMENT + digest

    def _comment(self, cursor: psycopg.Cursor) -> str | None:
        """Return the schema's comment, "" for none; None if there is no schema."""
        cursor.execute(
            "SELECT coalesce(obj_description(oid, 'pg_namespace'), '')"
            " FROM pg_namespace WHERE nspname = %s",
            [self.name],
        )
        found = cursor.fetchone()
        return None if found is None else str(found[0])

    def _grant(self, cursor: psycopg.Cursor, schema: str) -> None:
        cursor.execute(f"REVOKE ALL ON SCHEMA {schema} FROM PUBLIC")
        if self.role:
            role = sql.name(self.role)
            cursor.execute(f"GRANT USAGE ON SCHEMA {schema} TO {role}")
            cursor.execute(f"GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role}")


@contextmanager
def _connected(url: str) -> Iterator[psycopg.Connection]:
    """Yield a connection, whose transaction is committed at the end of the block.

    Raises:
        RuleError: psycopg is not installed, or the database reports an error.
    """
    try:
        import psycopg  # noqa: PLC0415 - an extra
    except ImportError:
        raise RuleError("mart.release.url", "PostgreSQL needs the extra 'mart'") from None
    try:
        with psycopg.connect(url) as target:
            yield target
    except psycopg.Error as error:  # its text may quote a row
        raise RuleError("mart.release.url", f"PostgreSQL: {type(error).__name__}") from None


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
