"""The journal beside a mart: written before the mart's transaction, truncated to its progress."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapter.replay.errors import ReplayError
from adapter.replay.folder.journal import JournalLane

if TYPE_CHECKING:
    from adapter.replay.progress import Progress

_CHUNK = re.compile(r"(\d{8})-(\d{8})\.chunk")


@dataclass(slots=True)
class MartJournal(JournalLane):
    """Objects named by number and epoch of the run, so that no run overwrites another's."""

    epoch: int = 0

    def open(self) -> None:
        """List the objects; of a transaction written by two runs, the later run's counts.

        Raises:
            ReplayError: the folder does not answer, or an object of the sequence is missing.
        """
        latest: dict[int, str] = {}
        for name in sorted(each.name for each in self.storage.objects()):
            if found := _CHUNK.fullmatch(name):
                latest[int(found[1])] = name
        if sorted(latest) != list(range(len(latest))):
            raise self._changed()
        self.chunks = [latest[number] for number in range(len(latest))]

    def recover(self, epoch: int, next_offset: int | None) -> Progress | None:
        """Discard transactions that the mart does not have; return the common progress, or None.

        Raises:
            ReplayError: the mart has a transaction that the journal lacks.
        """
        self.epoch = epoch
        self.open()
        upto = -1 if next_offset is None else next_offset
        while (progress := self.progress()) is not None and progress.next > upto:
            self.chunks.pop()
        if (None if progress is None else progress.next) != next_offset:
            raise self._changed()
        return progress

    def next_name(self) -> str:
        """Return the object's name of the next transaction."""
        return f"{len(self.chunks):08d}-{self.epoch:08d}.chunk"

    def _changed(self) -> ReplayError:
        return ReplayError(self.storage.root, "lacks a transaction: the journal was changed")
