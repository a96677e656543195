"""Syncs files and folders, so that their bytes and names survive a power failure."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def sync(path: Path | str) -> None:
    """Wait until a file's bytes, or the names in a folder, are on the disk (fsync, POSIX)."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
