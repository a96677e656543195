"""Reads files with secrets only if nobody else can read or change them."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from adapter.errors import RuleError

if TYPE_CHECKING:
    from pathlib import Path

_FOREIGN = stat.S_IWGRP | stat.S_IRWXO
"""Permissions refused for another owner's file; a mounted secret is read through its group."""
_OWN = stat.S_IRWXG | stat.S_IRWXO


def read_secret(path: Path) -> bytes:
    """Return the bytes of a file that nobody else can read or change.

    A file of this process's own user must be accessible to that user only (0600 or less). A file of
    another owner, as a container platform mounts it, may be readable by its group.

    Raises:
        RuleError: others may read or write it.
        OSError: it cannot be read.
    """
    with path.open("rb") as stream:
        status = os.fstat(stream.fileno())
        refused = _OWN if status.st_uid == os.geteuid() else _FOREIGN
        if stat.S_IMODE(status.st_mode) & refused:
            raise RuleError(str(path), "can be read or changed by other users; run chmod 600 on it")
        return stream.read()
