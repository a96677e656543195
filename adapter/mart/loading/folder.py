"""A folder of sanitized files with its manifest as a source: a backfill.

The folder is one lane, in the order of its file names. Progress is stored under the manifest's
digest, so a rewritten folder is a new feed; its known messages are not loaded again.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.loading.backfill import counted, inside, lane_of, topic_of
from adapter.mart.loading.domain import refuse_other_key
from adapter.mart.loading.manifest import keys_of, read_manifest, verify
from adapter.mart.versions import Released
from adapter.transports.files.blocks import blocks
from adapter.transports.files.names import MANIFEST

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from adapter.codecs.protocol import Frame
    from adapter.mart.loading.manifest import File
    from adapter.mart.loading.source import Batch
    from adapter.mart.store.protocol import Lane

    Split = Callable[[bytes], Sequence[Frame]]


class FolderSource:
    """The released messages of a folder; ``name`` is the backfill's, ``keys`` the mart's keys."""

    def __init__(
        self,
        folder: Path,
        name: str,
        split: Split,
        keys: Callable[[], Sequence[str]],
        batch_records: int,
    ) -> None:
        self._folder, self._split, self._batch_records = folder, split, batch_records
        self._keys = keys
        self._name = name
        self._files: tuple[File, ...] = ()

    async def lanes(self) -> Sequence[Lane]:
        """Read the manifest.

        Raises:
            RuleError: the manifest is missing or invalid, or its messages were released under
                another key than those in the mart.
        """
        digest, self._files = read_manifest(self._folder)
        for key_id in keys_of(self._files):
            refuse_other_key(self._keys(), key_id, str(self._folder / MANIFEST))
        return (lane_of(self._name, digest),)

    def batches(self, start: Mapping[Lane, int | None]) -> AsyncIterator[Batch | None]:
        """Yield batches from the given message, counted over all files.

        Raises:
            RuleError: a file differs from the manifest.
        """
        return counted(start, self._from, self._batch_records)

    def _from(self, done: int) -> Iterator[Released]:
        """Yield the messages after the first ``done``, without opening the files before them."""
        for number, file in enumerate(self._files):
            if done < len(file.messages):
                yield from islice(self._records(number, file), done, None)
            done = max(0, done - len(file.messages))

    def _records(self, number: int, file: File) -> Iterator[Released]:
        path = inside(self._folder, file.name, MANIFEST)
        verify(path, file)
        frames = self._frames(path)
        for index, entry in enumerate(file.messages):
            frame = next(frames, None)
            if frame is None:
                break
            at = topic_of(self._name), number, index
            yield Released(frame.value, entry.message_id, *at, headers=entry.headers)
        else:
            if next(frames, None) is None:
                return
        raise RuleError(str(path), f"does not have as many messages as {MANIFEST} says")

    def _frames(self, path: Path) -> Iterator[Frame]:
        with path.open("rb") as stream:
            for block in blocks(stream):
                yield from self._split(block)

    async def close(self) -> None:
        """Do nothing: no file is open."""
