"""Files of lines that several processes append to in turn, and that a crash can truncate."""

from __future__ import annotations

import fcntl
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_BLOCK = 1 << 16


@contextmanager
def locked(descriptor: int) -> Iterator[None]:
    """Lock an open file against other writers (flock)."""
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    try:
        yield
    finally:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


@contextmanager
def locked_name(path: Path) -> Iterator[int]:
    """Lock a path whose file may be replaced against other writers; create the file if missing.

    Yields a descriptor for reading and writing. A lock belongs to a file, not to its name, so after
    waiting the name is checked to be that of the same file.
    """
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            with locked(descriptor):
                if is_named(descriptor, path):
                    yield descriptor
                    return
        finally:
            os.close(descriptor)


def is_named(descriptor: int, path: Path) -> bool:
    """Return whether a path is that of an open file."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def append(descriptor: int, lines: bytes) -> None:
    """Append lines to a file, and wait until they are on the disk.

    Raises:
        OSError: the lines cannot be written; a partial write is undone if possible.
    """
    end = os.lseek(descriptor, 0, os.SEEK_END)
    try:
        while lines:
            lines = lines[os.write(descriptor, lines) :]
        os.fsync(descriptor)
    except OSError:
        os.ftruncate(descriptor, end)
        raise


def ends_with_line(descriptor: int) -> bool:
    """Return whether a file is empty or ends with a line end."""
    size = os.fstat(descriptor).st_size
    return not size or os.pread(descriptor, 1, size - 1) == b"\n"


def take_away_cut_line(descriptor: int) -> None:
    """Truncate a file after its last line end."""
    size = os.fstat(descriptor).st_size
    end = _end_of_last_line(descriptor, size)
    if end != size:
        os.ftruncate(descriptor, end)


def last_line(descriptor: int) -> bytes:
    """Return the last line of a file that ends with a line end."""
    end = max(0, os.fstat(descriptor).st_size - 1)
    start = _end_of_last_line(descriptor, end)
    return os.pread(descriptor, end - start, start)


def _end_of_last_line(descriptor: int, end: int) -> int:
    """Return the offset after the last line end before ``end``, or 0 if there is none."""
    while end:
        start = max(0, end - _BLOCK)
        found = os.pread(descriptor, end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0
