"""Writes audit records to a file, one JSON object per line, synced before a release.

The next writer removes a line that a crash truncated: its message was not released. Several
processes may write to one file in turn; with a key, each writer continues the chain of the last
line.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from adapter.sealing.chain import resumed
from adapter.sealing.verification import Place
from adapter.transports.files.lines import append, last_line, locked, take_away_cut_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from adapter.sealing.chain import Chain, Signer


class AuditFile:
    """Appends to a file; without a path, does nothing."""

    def __init__(
        self, path: Path | None, signer: Signer | None = None, *, mode: int = 0o666
    ) -> None:
        self._path = path
        self._mode = mode
        self._signer = signer
        self._descriptor: int | None = None
        self._chain: Chain | None = None
        self._size = -1
        """Size of the file in bytes after the last write; the cached chain is valid for it only."""

    def open(self) -> None:
        """Open the file for appending; create it if it does not exist."""
        if self._path is not None and self._descriptor is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND
            self._descriptor = os.open(self._path, flags, self._mode)

    def write(self, entries: Sequence[bytes]) -> None:
        """Append the entries, and wait until they are on the disk.

        Raises:
            OSError: they cannot be written; the next writer removes a truncated line.
        """
        if self._descriptor is None or not entries:
            return
        with locked(self._descriptor):
            take_away_cut_line(self._descriptor)
            records, chain = self._linked(self._descriptor, entries)
            append(self._descriptor, b"".join(record + b"\n" for record in records))
            self._chain, self._size = chain, os.fstat(self._descriptor).st_size

    def _linked(
        self, descriptor: int, entries: Sequence[bytes]
    ) -> tuple[Sequence[bytes], Chain | None]:
        """Return the entries as the next records of the file's chain, and the chain after them."""
        if self._signer is None:
            return entries, None
        chain = self._chain
        if chain is None or os.fstat(descriptor).st_size != self._size:
            chain = resumed(self._signer, last_line(descriptor)) or self._signer.begin("file")
        records = []
        for entry in entries:
            record, chain = chain.add(entry)
            records.append(record)
        return records, chain

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def read_lines(path: Path) -> Iterator[tuple[Place, bytes]]:
    """Yield (place, line) of a file, without line ends, numbered from 1."""
    with path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            yield Place(path.name, number), line.removesuffix(b"\n")
