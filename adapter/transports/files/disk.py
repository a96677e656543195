"""Syncs files and folders to the disk, and removes files whose writing has failed."""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def sync(path: Path | str) -> None:
    """Wait until a file's bytes, or the names in a folder, are on the disk (fsync, POSIX).

    So they survive a power failure.
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def removed_on_failure(part: Path) -> Iterator[None]:
    """Remove a temporary file if the block that writes and renames it raises."""
    try:
        yield
    except BaseException:
        with suppress(OSError):
            part.unlink()
        raise
