"""Joins the partitions with the same number of several topics to a lane, and merges their records.

If several topics share a patient memory (`known.scope`), a patient is in the same partition number
of each topic, because they have the same number of partitions and the same keys.
"""

from __future__ import annotations

from collections import deque
from math import inf
from typing import TYPE_CHECKING, Generic, TypeVar

from adapter.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from adapter.types import Record

P = TypeVar("P", bound=tuple[str, int])
"""Topic and partition."""


def refuse_uneven(counts: Mapping[str, int]) -> None:
    """Refuse topics that cannot share a memory; ``counts`` is topic -> number of partitions.

    Raises:
        RuleError: the numbers differ.
    """
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{topic} {count}" for topic, count in sorted(counts.items()))
        raise RuleError("known.scope", f"needs topics with the same number of partitions: {told}")


def numbered(partitions: Iterable[P], topics: Collection[str]) -> dict[int, tuple[P, ...]]:
    """Return partition number -> the partitions with that number, one of each topic.

    Raises:
        RuleError: a topic's partition is missing, so another process has it.
    """
    found: dict[int, list[P]] = {}
    for partition in sorted(partitions):
        found.setdefault(partition[1], []).append(partition)
    for number, same in found.items():
        if {partition[0] for partition in same} != set(topics):
            raise RuleError(
                "known.scope",
                f"partition {number} is assigned to this process for some topics only",
            )
    return {number: tuple(same) for number, same in found.items()}


class Buffer(Generic[P]):
    """Buffers records of some partitions and merges them into batches.

    Records of a partition stay in order. Among partitions, the record with the earliest timestamp
    comes first; if timestamps are equal, that of the first topic by name.
    """

    def __init__(self, partitions: Iterable[P]) -> None:
        """Start empty."""
        self._records: dict[P, deque[Record]] = {partition: deque() for partition in partitions}
        self._bytes = dict.fromkeys(self._records, 0)

    def __len__(self) -> int:
        """Return the number of buffered records."""
        return sum(map(len, self._records.values()))

    def clear(self) -> None:
        """Discard all buffered records."""
        for partition, records in self._records.items():
            records.clear()
            self._bytes[partition] = 0

    def add(self, partition: P, record: Record) -> None:
        """Append a record to those of its partition."""
        self._records[partition].append(record)
        self._bytes[partition] += len(record.value or b"")

    def room(self, partition: P, records: int, size: int) -> bool:
        """Return whether a partition has room in its equal share of ``records`` and ``size``."""
        share = len(self._records)
        few = len(self._records[partition]) * share < records
        return few and self._bytes[partition] * share < size

    def empty(self, partitions: Iterable[P]) -> bool:
        """Return whether any of the partitions has no buffered record."""
        return any(not self._records[partition] for partition in partitions)

    def cut(self, records: int, size: float = inf, behind: Collection[P] = ()) -> Sequence[Record]:
        """Return the next records, within ``records`` and ``size`` (bytes), but at least one.

        ``behind`` are partitions with records still to arrive: once one of them is empty, the next
        record is unknown and the batch ends.
        """
        batch: list[Record] = []
        while len(batch) < records and len(self) and not (batch and self.empty(behind)):
            partition = self._earliest()
            length = len(self._records[partition][0].value or b"")
            if batch and length > size:
                break
            size -= length
            self._bytes[partition] -= length
            batch.append(self._records[partition].popleft())
        return batch

    def _earliest(self) -> P:
        waiting = [partition for partition, records in self._records.items() if records]
        if len(waiting) == 1:
            return waiting[0]
        return min(waiting, key=lambda each: (self._records[each][0].timestamp or 0, each))
