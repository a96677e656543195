"""Adapters that run as processes of their own, and faults to inject."""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator
    from typing import BinaryIO

MOST, JOIN = 3, 0.5
"""Most adapters at a time, and how often one of two becomes three instead of one."""
FIRST_PORT, PORTS = 20_000, 10_000
"""Health ports, below those that the kernel gives to connections."""
STOPPED = 60.0
"""Seconds an adapter may take to end after SIGTERM."""


def descendants(pid: int) -> list[int]:
    """Return all direct and indirect child processes of a process."""
    found = []
    for tasks in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            children = [int(child) for child in tasks.read_text().split()]
        except OSError:
            continue
        for child in children:
            found += [child, *descendants(child)]
    return found


def free_ports() -> Iterator[int]:
    """Yield ports at which nothing listens; each process begins elsewhere."""
    for port in itertools.count(os.getpid()):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", FIRST_PORT + port % PORTS)):
                yield FIRST_PORT + port % PORTS


@dataclass(slots=True)
class Fleet:
    """The running adapters, over one settings file."""

    settings: Path
    log: BinaryIO = field(repr=False)
    dice: random.Random
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)
    codes: list[int] = field(default_factory=list)
    """Exit codes of adapters that were asked to end."""
    _free: Iterator[int] = field(default_factory=free_ports)
    _ports: dict[int, int] = field(default_factory=dict)
    """Health port by process id."""

    def start(self) -> None:
        """Start one more adapter, with a health port of its own."""
        command = [sys.executable, "-m", "adapter", "run", "--config", str(self.settings)]
        port = next(self._free)
        env = os.environ | {"DEID_ADAPTER__HEALTH__PORT": str(port)}
        process = subprocess.Popen(command, stdout=self.log, stderr=self.log, env=env)
        self._ports[process.pid] = port
        self.running.append(process)

    def ports(self) -> list[int]:
        """Return the health ports of the running adapters."""
        return [self._ports[process.pid] for process in self.running]

    def any(self) -> subprocess.Popen[bytes]:
        """Return one adapter, drawn at random."""
        return self.dice.choice(self.running)

    def fallen(self) -> list[int]:
        """Return the exit codes of adapters that ended by themselves."""
        return [code for process in self.running if (code := process.poll()) is not None]

    async def kill(self) -> None:
        """SIGKILL one adapter, and start another in its place."""
        process = self.any()
        process.kill()
        await asyncio.to_thread(process.wait)
        self.running.remove(process)
        self.start()

    async def join_or_leave(self) -> None:
        """Let one more adapter join the group, or one leave it; there are one to `MOST`."""
        joins = len(self.running) == 1 or (len(self.running) < MOST and self.dice.random() < JOIN)
        if joins:
            self.start()
        else:
            await self.leave(self.any())

    async def leave(self, process: subprocess.Popen[bytes]) -> None:
        """SIGTERM one adapter, and wait for its end."""
        process.send_signal(signal.SIGTERM)
        self.codes.append(await asyncio.to_thread(process.wait, STOPPED))
        self.running.remove(process)

    async def pause(self, seconds: float) -> None:
        """SIGSTOP one adapter for longer than its session timeout, while another takes over."""
        process = self.any()
        process.send_signal(signal.SIGSTOP)
        if len(self.running) == 1:
            self.start()
        await asyncio.sleep(seconds)
        process.send_signal(signal.SIGCONT)

    async def kill_worker(self) -> None:
        """SIGKILL a child process of one adapter."""
        children = descendants(self.any().pid)
        if children:
            os.kill(self.dice.choice(children), signal.SIGKILL)

    async def end(self) -> None:
        """SIGTERM all adapters."""
        for process in list(self.running):
            await self.leave(process)
