"""Selects the records to replay, by topic, lane, offset, time and key."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adapter.config.replay import ReplaySource
    from adapter.replay.archive.layouts import Row


@dataclass(slots=True)
class Selection:
    """The selection in the settings; a record without a timestamp is in no range of times."""

    source: ReplaySource = field(repr=False)
    keys: frozenset[bytes] = field(init=False, repr=False)
    since: int | None = field(init=False)
    until: int | None = field(init=False)

    def __post_init__(self) -> None:
        """Convert keys to bytes, and times to ms since the epoch."""
        source = self.source
        self.keys = frozenset(key.encode() for key in source.keys)
        self.since = round(source.since.timestamp() * 1000) if source.since else None
        self.until = round(source.until.timestamp() * 1000) if source.until else None

    def lane(self, lane: tuple[str, int]) -> bool:
        """Return whether records of a lane may be selected."""
        topic, partition = lane
        named = not self.source.topics or topic in self.source.topics
        return named and (not self.source.offsets or f"{topic}-{partition}" in self.source.offsets)

    def record(self, lane: tuple[str, int], offset: int, row: Row) -> bool:
        """Return whether a record is selected; `lane` must have accepted its lane."""
        if self.source.offsets:
            first, last = self.source.offsets[f"{lane[0]}-{lane[1]}"]
            if not first <= offset <= last:
                return False
        if self.keys and row.key not in self.keys:
            return False
        return self._in_time(row.timestamp)

    def _in_time(self, timestamp: int | None) -> bool:
        if self.since is None and self.until is None:
            return True
        if timestamp is None:
            return False
        after = self.since is None or timestamp >= self.since
        return after and (self.until is None or timestamp < self.until)
