"""What has to survive a power failure: bytes and names that are on the disk."""

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
