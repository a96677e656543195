"""Batches of records of bounded number and bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adapter.types import Record


def cut(records: Iterable[Record], most: int, size: int) -> Iterator[list[Record]]:
    """Yield batches of at most ``most`` records and ``size`` bytes of values, or of one record."""
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
