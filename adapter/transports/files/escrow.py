"""Writes escrow records to a file, one JSON object per line, readable by its owner only.

The next writer ends a line that a crash truncated: readers skip it, and its message was not
released. Several processes may write to one file in turn.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from adapter.transports.files.lines import append, ends_with_line, locked

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class EscrowFile:
    """Appends to a file; without a path, does nothing."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._descriptor: int | None = None

    def open(self) -> None:
        """Open the file for appending; create it if it does not exist."""
        if self._path is None or self._descriptor is not None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        with locked(self._descriptor):
            _close_cut_line(self._descriptor)

    def write(self, envelopes: Iterable[bytes]) -> None:
        """Append the envelopes, and wait for the disk; their messages are released afterwards.

        Raises:
            OSError: the envelopes cannot be written.
        """
        lines = b"".join(envelope + b"\n" for envelope in envelopes)
        if self._descriptor is None or not lines:
            return
        with locked(self._descriptor):
            _close_cut_line(self._descriptor)
            append(self._descriptor, lines)

    def close(self) -> None:
        """Close the file."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _close_cut_line(descriptor: int) -> None:
    if not ends_with_line(descriptor):
        os.write(descriptor, b"\n")
