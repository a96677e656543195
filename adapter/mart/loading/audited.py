"""A file of audit records as a source of the messages that a replay or live run held."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.loading.backfill import counted, lane_of
from adapter.mart.versions import Released

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
    from pathlib import Path

    from adapter.mart.loading.source import Batch
    from adapter.mart.store.protocol import Lane

_NAME = "audit"


class AuditSource:
    """The lines of a file, once; a file with different content is a different feed.

    Raises:
        RuleError: the file cannot be read.
    """

    def __init__(self, path: Path, batch_records: int) -> None:
        self._path, self._batch_records = path, batch_records
        try:
            with path.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise RuleError(str(path), f"cannot be read ({type(error).__name__})") from None
        self.lane = lane_of(_NAME, digest)

    async def lanes(self) -> Sequence[Lane]:
        """Return the file's only lane."""
        return (self.lane,)

    def batches(self, start: Mapping[Lane, int | None]) -> AsyncIterator[Batch | None]:
        """Yield batches from the given line."""
        return counted(start, self._from, self._batch_records)

    def _from(self, done: int) -> Iterator[Released]:
        with self._path.open("rb") as lines:
            for number, line in enumerate(lines):
                if number >= done:
                    yield Released(line, "", *self.lane, number)

    async def close(self) -> None:
        """Do nothing: no file is open."""
