"""Converts Arrow batches from Spark to records, and outcomes to rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from adapter.errors import SparkError
from adapter.types import Position, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

HEADERS = "array<struct<key:string,value:binary>>"
INPUT = {
    "topic": "string",
    "partition": "int",
    "offset": "bigint",
    "key": "binary",
    "value": "binary",
    "headers": HEADERS,
    "timestamp": "bigint",
}
"""Columns that tasks read, with their types; ``timestamp`` is in ms since the epoch."""
NEEDED = ("topic", "partition", "offset", "value")
"""Required columns; missing others are null."""
OUTPUT = INPUT | {"id": "string", "outcome": "string", "stage": "string", "code": "string"}
"""Columns of the result: ``value`` is the released message, or the sealed held message."""
RELEASED, HELD = "released", "held"


class Row(NamedTuple):
    """A record, and the further columns by which rows are grouped."""

    record: Record
    more: Mapping[str, Any]

    def __repr__(self) -> str:
        """Show no text."""
        return "Row()"


def ddl(columns: Mapping[str, str]) -> str:
    """Return a schema in Spark's DDL."""
    return ", ".join(f"`{name}` {kind}" for name, kind in columns.items())


def rows(batches: Iterable[Any], more: Sequence[str] = ()) -> Iterator[Row]:
    """Yield the rows of Arrow batches, one at a time.

    Raises:
        SparkError: a row lacks a coordinate.
    """
    for batch in batches:
        columns = {name: batch.column(name) for name in (*INPUT, *more)}
        for at in range(batch.num_rows):
            cells = {name: column[at].as_py() for name, column in columns.items()}
            yield Row(_record(cells), {name: cells[name] for name in more})


def _record(cells: Mapping[str, Any]) -> Record:
    place = cells["topic"], cells["partition"], cells["offset"]
    if None in place:
        raise SparkError("row")
    given = (each for each in cells["headers"] or () if each is not None)
    headers = tuple((each["key"] or "", each["value"] or b"") for each in given)  # as Kafka's are
    return Record(cells["value"], Position(*place), cells["key"], headers, cells["timestamp"])


def told(record: Record, **cells: Any) -> dict[str, Any]:
    """Return a row of the result: the cells of a record, and further cells that override them."""
    at = record.position
    row = dict.fromkeys(OUTPUT)
    return row | {
        "topic": at.topic,
        "partition": at.partition,
        "offset": at.offset,
        "key": record.key,
        "value": record.value,
        "headers": [{"key": name, "value": value} for name, value in record.headers],
        "timestamp": record.timestamp,
        **cells,
    }
