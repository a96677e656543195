"""Partitions of one number, one of each topic, as one lane: which may be joined, and their order.

Where patient memory is shared by several topics (`known.scope`), the same patient lies in the
partition of the same number of each: they have as many partitions, and the same keys.
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
    """Refuse topics that cannot share a memory; ``counts`` are their numbers of partitions.

    Raises:
        RuleError: they differ.
    """
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{topic} {count}" for topic, count in sorted(counts.items()))
        raise RuleError("known.scope", f"needs topics of as many partitions each: {told}")


def numbered(partitions: Iterable[P], topics: Collection[str]) -> dict[int, tuple[P, ...]]:
    """Return the partitions by number.

    Raises:
        RuleError: one of a number is missing, so that somebody else has it.
    """
    found: dict[int, list[P]] = {}
    for partition in sorted(partitions):
        found.setdefault(partition[1], []).append(partition)
    for number, same in found.items():
        if {partition[0] for partition in same} != set(topics):
            raise RuleError("known.scope", f"partition {number} is here of some topics only")
    return {number: tuple(same) for number, same in found.items()}


class Buffer(Generic[P]):
    """Records of some partitions that wait to be given out.

    Within a partition they stay in order. Of several partitions the record of the earliest
    timestamp comes first, and of equal ones that of the topic whose name is first.
    """

    def __init__(self, partitions: Iterable[P]) -> None:
        """Start empty."""
        self._records: dict[P, deque[Record]] = {partition: deque() for partition in partitions}
        self._bytes = dict.fromkeys(self._records, 0)

    def __len__(self) -> int:
        """The number of records that wait."""
        return sum(map(len, self._records.values()))

    def clear(self) -> None:
        """Forget all that waits."""
        for partition, records in self._records.items():
            records.clear()
            self._bytes[partition] = 0

    def add(self, partition: P, record: Record) -> None:
        """Add a record behind those of its partition."""
        self._records[partition].append(record)
        self._bytes[partition] += len(record.value or b"")

    def room(self, partition: P, records: int, size: int) -> bool:
        """Say whether a partition's share of so many records and bytes is not used up."""
        share = len(self._records)
        few = len(self._records[partition]) * share < records
        return few and self._bytes[partition] * share < size

    def empty(self, partitions: Iterable[P]) -> bool:
        """Say whether one of the partitions has no record that waits."""
        return any(not self._records[partition] for partition in partitions)

    def cut(self, records: int, size: float = inf, behind: Collection[P] = ()) -> Sequence[Record]:
        """Return the next records, at most so many and of so many bytes, but at least one.

        ``behind`` are partitions that have more to come: once one of them is empty, nobody knows
        what is next.
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
