"""Escrow records in a file, one JSON object a line, for its owner only.

A line that a crash cut is closed by the next run: readers pass over it, and what it was of was not
released.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class EscrowFile:
    """Appends to a file, or to nothing where there is none."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._descriptor: int | None = None

    def open(self) -> None:
        """Make the file, or go on behind its last line."""
        if self._path is None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        size = os.fstat(self._descriptor).st_size
        if size and os.pread(self._descriptor, 1, size - 1) != b"\n":
            os.write(self._descriptor, b"\n")

    def write(self, envelopes: Iterable[bytes]) -> None:
        """Append, and wait for the disk: what they are of is released after them."""
        lines = b"".join(envelope + b"\n" for envelope in envelopes)
        if self._descriptor is None or not lines:
            return
        while lines:
            lines = lines[os.write(self._descriptor, lines) :]
        os.fsync(self._descriptor)

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
