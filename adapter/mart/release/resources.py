"""Loads current resources into a DuckDB table, for the views and the gate."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import duckdb

    from adapter.mart.release.plan import Resource

ROWS = 5000
"""Number of resources per insert."""
ACTIVE = "active"


def fill(connection: duckdb.DuckDBPyConnection, resources: Iterable[Resource]) -> None:
    """Create the table ``resource`` of all active resources."""
    connection.execute(
        "CREATE TABLE resource (resource_type VARCHAR, person_id VARCHAR, body VARCHAR)"
    )
    active = (r for r in resources if r.status == ACTIVE)
    while some := tuple(islice(active, ROWS)):
        columns = [
            [r.resource_type for r in some],
            [r.person_id for r in some],
            [r.body for r in some],
        ]
        connection.execute("INSERT INTO resource SELECT unnest(?), unnest(?), unnest(?)", columns)
