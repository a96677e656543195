"""Error handling for views that run in DuckDB: error texts quote no data."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.views.values import MARK

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.mart.views.compiler import CompiledView


@contextmanager
def failures(view: CompiledView) -> Iterator[None]:
    """Convert errors of DuckDB, whose texts may quote values, to errors with a place in the view.

    Raises:
        RuleError: the view fails on the data; the error has its file, and the place if known.
    """
    import duckdb  # noqa: PLC0415 - an extra

    try:
        yield
    except duckdb.Error as error:
        place, _, problem = str(error).partition(MARK)[2].partition("\n")[0].rpartition(": ")
        if place:
            raise RuleError(place, problem) from None
        raise RuleError(view.source, f"the query failed ({type(error).__name__})") from None
