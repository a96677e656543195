"""Limits of the memory of one process: by the kernel's control groups, or of its addresses."""

from __future__ import annotations

import asyncio
import os
import resource
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from tests.chaos.fleet import descendants

if TYPE_CHECKING:
    from collections.abc import Callable

V1, V2 = Path("/sys/fs/cgroup/memory"), Path("/sys/fs/cgroup")


@dataclass(frozen=True, slots=True)
class ControlGroup:
    """A memory control group, of version 1 or 2, that only this user of it knows."""

    folder: Path

    @classmethod
    def made(cls, name: str) -> ControlGroup:
        """Make a group.

        Raises:
            OSError: there are no control groups of memory, or this process may make none.
        """
        root = V1 if V1.is_dir() else V2
        group = cls(root / name)
        group.folder.mkdir()
        if not group._file("limit_in_bytes", "max").exists():
            group.remove()
            raise FileNotFoundError
        return group

    def remove(self) -> None:
        """Remove the group, whose processes have ended."""
        self.folder.rmdir()

    def take(self, pid: int) -> None:
        """Charge what a process allocates from now on to the group."""
        (self.folder / "cgroup.procs").write_text(str(pid))

    def limit(self, size: int) -> None:
        """Set the bytes at which the kernel kills a process of the group."""
        self._file("limit_in_bytes", "max").write_text(str(size))

    def used(self) -> int:
        """Return the bytes charged to the group."""
        return int(self._file("usage_in_bytes", "current").read_text())

    def kills(self) -> int:
        """Return the number of processes that the kernel has killed."""
        lines = self._file("oom_control", "events").read_text().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("oom_kill "))

    def _file(self, first: str, second: str) -> Path:
        return self.folder / f"memory.{first if self.folder.parent == V1 else second}"


def workers(adapter: int) -> set[int]:
    """Return the worker processes of an adapter: the children of its fork server."""
    children = set(_children(adapter))
    return set(descendants(adapter)) - children


def _children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for each in found for child in each.read_text().split()]


def limit_addresses(pid: int, more: int) -> None:
    """Let a process have only so many more bytes of addresses, after which it gets no memory."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[0])
    most = pages * os.sysconf("SC_PAGE_SIZE") + more
    resource.prlimit(pid, resource.RLIMIT_AS, (most, most))


async def each_new(adapter: int, limit: Callable[[int], None]) -> None:
    """Limit every worker of an adapter as soon as it appears, until cancelled."""
    seen: set[int] = set()
    while True:
        for pid in workers(adapter) - seen:
            with suppress(ProcessLookupError):
                limit(pid)
            seen.add(pid)
        await asyncio.sleep(0.005)
