"""Opens DuckDB, which runs the views and the gate; an extra, so it is imported on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb


def connect(file: Path) -> duckdb.DuckDBPyConnection:
    """Open a new database in a file, which allows a mart larger than memory.

    Raises:
        RuleError: DuckDB is not installed.
    """
    try:
        import duckdb  # noqa: PLC0415 - an extra
    except ImportError:
        raise RuleError("mart", "views and releases need the extra 'mart'") from None
    return duckdb.connect(file)
