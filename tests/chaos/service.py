"""One adapter process on a real Kafka, fed at a given rate and observed from outside."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.chaos.fleet import descendants
from tests.chaos.load import message
from tests.integration import cluster
from tests.integration.conftest import free_port

if TYPE_CHECKING:
    from collections.abc import Callable

PORTION = 100
"""Messages written at once."""


@dataclass(slots=True)
class Service:
    """An adapter with its own topics; its log and settings are in a folder."""

    address: str
    app: str
    folder: Path
    processes: int = 1
    partitions: int = 3
    profile: str = "research"
    variables: dict[str, str] = field(default_factory=dict)
    """Environment variables of the adapter, besides those of this process."""
    port: int = field(default_factory=free_port)
    sent: int = 0
    process: subprocess.Popen[bytes] | None = None

    @property
    def topics(self) -> tuple[str, ...]:
        """Return the topics of input, releases, held messages and audit."""
        return self.app, f"{self.app}.deid", f"{self.app}.quarantine", f"{self.app}.audit"

    async def make_topics(self) -> None:
        """Create its topics."""
        await cluster.make_topics(self.address, *self.topics, partitions=self.partitions)

    def write_settings(self) -> Path:
        """Write its settings, for transactions of 50 records."""
        file: Path = cluster.settings_file(
            self.folder,
            self.address,
            self.app,
            processes=self.processes,
            batch_records=50,
            state=True,
        )
        with file.open("a") as more:
            more.write(f'[log]\nlevel = "debug"\n[health]\nport = {self.port}\n')
            more.write(f'[rules]\nprofile = "{self.profile}"\n')
        return file

    def start(self) -> None:
        """Start the adapter."""
        command = [sys.executable, "-m", "adapter", "run", "--config", str(self.write_settings())]
        env = os.environ | self.variables
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=env)

    async def begin(self, count: int) -> None:
        """Create its topics, start it, and have it settle ``count`` messages."""
        await self.make_topics()
        self.start()
        await self.until(self.ready)
        await self.write(count)
        await self.settled(count)

    def ready(self) -> bool:
        """Return whether `/readyz` reports that it is ready."""
        address = f"http://127.0.0.1:{self.port}/readyz"
        try:
            with urllib.request.urlopen(address, timeout=1) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False

    async def until(self, done: Callable[[], bool], seconds: float = 300) -> float:
        """Wait until a condition holds; return the seconds it took.

        Raises:
            TimeoutError: the condition does not hold in time.
            RuntimeError: the adapter ended by itself.
        """
        since = time.monotonic()
        while not await asyncio.to_thread(done):
            if self.process is not None and self.process.poll() is not None:
                raise RuntimeError("the adapter ended by itself")
            if time.monotonic() - since > seconds:
                raise TimeoutError
            await asyncio.sleep(0.02)
        return time.monotonic() - since

    async def write(self, count: int = PORTION) -> None:
        """Write further messages."""
        numbers = range(self.sent, self.sent + count)
        await cluster.write(self.address, self.app, [message(n) for n in numbers])
        self.sent += count

    async def behind(self) -> int:
        """Return the number of messages that are written and not settled."""
        done: int = await cluster.committed(self.address, self.app, self.app)
        return self.sent - done

    async def kept_busy(self, ahead: int = 5 * PORTION) -> None:
        """Keep messages waiting until cancelled."""
        while True:
            if await self.behind() < ahead:
                await self.write()
            else:
                await asyncio.sleep(0.1)

    async def settled(self, count: int) -> None:
        """Wait until ``count`` messages are settled in total."""
        while self.sent - await self.behind() < count:  # noqa: ASYNC110 - the broker is asked
            await asyncio.sleep(0.1)

    def events(self) -> list[dict[str, Any]]:
        """Return the complete lines of the log so far."""
        lines = (self.folder / "log").read_text().splitlines()
        return [json.loads(line) for line in lines if line.endswith("}")]

    def memory(self) -> int:
        """Return the bytes of the adapter and its processes, shared memory counted once."""
        assert self.process is not None
        total = 0
        for pid in (self.process.pid, *descendants(self.process.pid)):
            try:
                rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
            except OSError:
                continue
            found = [line for line in rollup.splitlines() if line.startswith("Pss:")]
            total += int(found[0].split()[1]) * 1024 if found else 0
        return total

    async def stop(self) -> float:
        """Send SIGTERM, and wait for the exit; return the seconds it took."""
        assert self.process is not None
        since = time.monotonic()
        self.process.terminate()
        await asyncio.to_thread(self.process.wait, 120)
        return time.monotonic() - since
