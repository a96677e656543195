"""Writes the OMOP tables of a release as Parquet files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adapter.mart.omop.tables import SCHEMA, Rules, make_omop
from adapter.mart.views import sql

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    import duckdb


def write_omop(
    connection: duckdb.DuckDBPyConnection,
    rules: Rules,
    source: Mapping[str, Any],
    vocabularies: Path | None,
    folder: Path,
) -> None:
    """Create the tables, and write each to ``omop/`` in a folder, sorted by its columns.

    Raises:
        RuleError: a vocabulary file is missing.
    """
    make_omop(connection, rules, source, vocabularies)
    (folder / SCHEMA).mkdir()
    for name in rules.columns:
        target = sql.text(str(folder / SCHEMA / f"{name}.parquet"))
        query = f"SELECT * FROM {SCHEMA}.{name} ORDER BY ALL"
        connection.execute(f"COPY ({query}) TO {target} (FORMAT parquet, COMPRESSION zstd)")
