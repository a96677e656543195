"""A share of one core for a process and its children, by the kernel's control groups."""

from __future__ import annotations

import time
import uuid
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

V1, V2 = Path("/sys/fs/cgroup/cpu"), Path("/sys/fs/cgroup")
PERIOD = 10_000
"""Microseconds in which a group may use its share: short, so that it is used evenly."""
ATTEMPTS = 100
"""Tenths of a second to wait for the last process of a group to end."""


@contextmanager
def cpu_quota(cores: float) -> Iterator[Callable[[int], None]]:
    """Yield a function that gives a process, and the children that it starts, so many cores.

    Raises:
        OSError: there are no control groups of processors, or this process may make none.
    """
    first = V1.is_dir()
    folder = (V1 if first else V2) / f"bench-{uuid.uuid4().hex[:8]}"
    folder.mkdir()
    try:
        quota = round(cores * PERIOD)
        if first:
            (folder / "cpu.cfs_period_us").write_text(str(PERIOD))
            (folder / "cpu.cfs_quota_us").write_text(str(quota))
        else:
            (folder / "cpu.max").write_text(f"{quota} {PERIOD}")
        yield lambda pid: _put(folder, pid)
    finally:
        _remove(folder)


def _put(folder: Path, pid: int) -> None:
    (folder / "cgroup.procs").write_text(str(pid))


def _remove(folder: Path) -> None:
    """Remove a group as soon as its last process has ended."""
    for _ in range(ATTEMPTS):
        with suppress(OSError):
            folder.rmdir()
            return
        time.sleep(0.1)
    folder.rmdir()
