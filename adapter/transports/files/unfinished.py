"""Files under temporary names while they are written, and the removal of those nobody will finish.

A process locks the temporary file that it is writing (flock). The lock ends with the process, so a
temporary file without one was left by a run that was killed. Where locks cannot be had, such files
stay.
"""

from __future__ import annotations

import fcntl
import os
import re
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from adapter.transports.files.lines import is_named

if TYPE_CHECKING:
    from collections.abc import Iterator

_PREFIX, _SUFFIX = ".deid-adapter-", ".part"
_NAME = re.compile(rf"{re.escape(_PREFIX)}[a-z0-9_]{{8}}{re.escape(_SUFFIX)}")


class Unfinished:
    """A file that is being written, in the folder of the path that it will get."""

    def __init__(self, path: Path) -> None:
        """Create and lock the temporary file.

        Raises:
            OSError: it cannot be created.
        """
        self._path = path
        self._part, descriptor = _created(path.parent)
        self._lock = os.dup(descriptor)  # holds the lock after the stream is closed
        self.stream: BinaryIO = os.fdopen(descriptor, "wb")

    def finish(self) -> None:
        """Give the file its path, replacing an older one.

        Raises:
            OSError: its last bytes cannot be written, such as to a full disk; it is removed.
        """
        try:
            self.stream.close()
            self._part.replace(self._path)
        except OSError:
            self.remove()
            raise
        os.close(self._lock)

    def remove(self) -> None:
        """Remove the file."""
        with suppress(OSError):  # closing writes buffered bytes, which a full disk refuses again
            self.stream.close()
        with suppress(OSError):
            self._part.unlink()
        os.close(self._lock)


def _created(folder: Path) -> tuple[Path, int]:
    """Return a new temporary file and its locked descriptor, with the usual access rights."""
    while True:
        descriptor, name = tempfile.mkstemp(prefix=_PREFIX, suffix=_SUFFIX, dir=folder)
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        if is_named(descriptor, Path(name)):  # else it was removed before it was locked
            os.fchmod(descriptor, 0o666 & ~_umask())
            return Path(name), descriptor
        os.close(descriptor)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Write a file that gets its path when the block ends, and is removed if the block raises.

    Raises:
        OSError: the file cannot be written; an older one at the path is unchanged.
    """
    unfinished = Unfinished(path)
    try:
        yield unfinished.stream
    except BaseException:
        unfinished.remove()
        raise
    unfinished.finish()


def is_unfinished(name: str) -> bool:
    """Return whether a file name is one of those given to unfinished files."""
    return _NAME.fullmatch(name) is not None


def remove_abandoned(output: Path) -> None:
    """Remove the unfinished files of killed runs in a folder and its subfolders.

    Files that a running process has locked stay, and those that cannot be locked or removed.
    """
    for folder, _, names in os.walk(output):
        for name in filter(is_unfinished, names):
            with suppress(OSError):
                _remove_abandoned(Path(folder, name))


def _remove_abandoned(part: Path) -> None:
    """Remove a file unless it is locked.

    Raises:
        OSError: it is locked, is a link, or cannot be removed.
    """
    descriptor = os.open(part, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if is_named(descriptor, part):  # else its writer has just renamed it
            part.unlink()
    finally:
        os.close(descriptor)
