"""Opens DuckDB, in which views and gate run; an extra, so imported on demand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb


def connect(file: Path) -> duckdb.DuckDBPyConnection:
    """Open a new database in a file, so that a mart larger than memory can be released.

    Raises:
        RuleError: DuckDB is not installed.
    """
    try:
        import duckdb  # noqa: PLC0415 - an extra
    except ImportError:
        raise RuleError("mart", "views and releases need the extra 'mart'") from None
    return duckdb.connect(file)
