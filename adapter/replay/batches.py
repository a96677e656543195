"""Batches of records, within bounds of number and bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adapter.types import Record


def cut(records: Iterable[Record], most: int, size: int) -> Iterator[list[Record]]:
    """Batches of at most so many records and bytes of values, but of one record at least."""
    batch: list[Record] = []
    room = size
    for record in records:
        length = len(record.value or b"")
        if batch and (len(batch) == most or length > room):
            yield batch
            batch, room = [], size
        batch.append(record)
        room -= length
    if batch:
        yield batch
