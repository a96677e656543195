"""Files read for a dry run: nothing is made or written, no state is restored."""

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
"""What a dry run does not write."""


class FilesReader:
    """The inputs, once; a transport that is never started takes them apart."""

    one_feed = True

    def __init__(self, files: Files, workers: Workers, split: Split) -> None:
        """Find the inputs.

        Raises:
            RuleError: an input is missing, or two have one name.
        """
        self._files = FilesTransport(files.model_copy(update=NOTHING), workers, split)

    async def start(self) -> None:
        """Nothing: the inputs were found."""

    def streams(self) -> Sequence[Stream]:
        """One for each file."""
        lanes = [FileLane(self._files, source) for source in self._files.sources]
        return [Stream(lane.name, partial(_batches, lane)) for lane in lanes]

    def public(self, topic: str) -> str:
        """The number of a file: a file's name may name a patient."""
        return self._files.public(topic)

    async def stop(self) -> None:
        """Nothing is open."""


async def _batches(lane: FileLane) -> AsyncIterator[Sequence[Record]]:
    async for batch in lane.batches():
        yield batch
        lane.settle(batch[-1].position.offset)  # its framing is not needed
