"""The data of a release's charts: publishable counts of persons and rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from adapter.mart.release.columns import PERSON
from adapter.mart.release.report.counts import publishable
from adapter.mart.views import sql

if TYPE_CHECKING:
    from collections.abc import Sequence

    import duckdb

    from adapter.mart.release.plan import Plan

SIZES = ((20, "to 20"), (50, "21 to 50"), (100, "51 to 100"), (1000, "101 to 1,000"))
LARGER = "more"
SUPPRESSED = "suppressed"


def distributions(
    connection: duckdb.DuckDBPyConnection, plan: Plan
) -> dict[str, list[tuple[str, int | None]]]:
    """Return the persons by value, for each quasi-identifier."""
    return {name: _persons(connection, name, plan) for name in plan.quasi_identifiers}


def _persons(
    connection: duckdb.DuckDBPyConnection, name: str, plan: Plan
) -> list[tuple[str, int | None]]:
    view, _, column = name.partition(".")
    rows = connection.execute(
        f"SELECT coalesce(CAST({sql.name(column)} AS VARCHAR), '{SUPPRESSED}') AS value,"
        f" count(DISTINCT {PERSON}) FROM {sql.name(view)} GROUP BY value ORDER BY value"
    ).fetchall()
    return list(publishable(dict(rows), plan.minimum, plan.rounding).items())


def cell_histogram(sizes: Sequence[int]) -> list[tuple[str, int | None]]:
    """Return the number of cells of each size."""
    names = [name for _, name in SIZES] + [LARGER]
    found = dict.fromkeys(names, 0)
    for size in sizes:
        found[next((name for most, name in SIZES if size <= most), LARGER)] += 1
    return [(name, found[name]) for name in names]


def messages_by_kind(quality: dict[str, Any]) -> list[tuple[str, int | None]]:
    """Return the released messages by kind, from the published report."""
    found: dict[str, int | None] = {}
    for row in quality["messages"]:
        name = row["kind"] or row["source"]
        before = found.get(name, 0)
        now = row["released"]
        found[name] = None if before is None or now is None else before + now
    return sorted(found.items(), key=lambda item: (-(item[1] or 0), item[0]))
