"""Reads files for a dry run: nothing is created or written, no state is restored."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from adapter.transports.dry_run import Stream
from adapter.transports.files.transport import FileLane, FilesTransport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from adapter.config.files import Files
    from adapter.config.settings import Workers
    from adapter.transports.backend import Split
    from adapter.types import Record

NOTHING = {"audit": None, "escrow": None, "quarantine": None, "state": None}
"""Settings of the outputs that a dry run does not write."""


class FilesReader:
    """Reads the inputs once, through a transport that is never started."""

    one_feed = True

    def __init__(self, files: Files, workers: Workers, split: Split) -> None:
        """Find the inputs.

        Raises:
            RuleError: an input is missing, or two have one name.
        """
        self._files = FilesTransport(files.model_copy(update=NOTHING), workers, split)

    async def start(self) -> None:
        """Do nothing: the inputs were found at construction."""

    def streams(self) -> Sequence[Stream]:
        """Return a stream for each file."""
        lanes = [FileLane(self._files, source) for source in self._files.sources]
        return [Stream(lane.name, partial(_batches, lane)) for lane in lanes]

    def public(self, topic: str) -> str:
        """Return the number of a file, because its name can identify a patient."""
        return self._files.public(topic)

    async def stop(self) -> None:
        """Do nothing: no file is open."""


async def _batches(lane: FileLane) -> AsyncIterator[Sequence[Record]]:
    async for batch in lane.batches():
        yield batch
        lane.settle(batch[-1].position.offset)  # frees the framing, which is not needed
