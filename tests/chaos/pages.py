"""What the health ports of adapters show while they run, kept in a file to be searched."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

PATHS = "/metrics", "/lanes", "/readyz"
SECONDS = 1.0
"""Seconds to wait for an answer; an adapter that is stopped gives none."""


def fetched(port: int, path: str) -> bytes | None:
    """Return the page that a port answers, whatever its status; None without an answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    try:
        connection.request("GET", path)
        return connection.getresponse().read()
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()


@dataclass(slots=True)
class Pages:
    """The pages fetched so far, all in one file."""

    file: Path
    counts: Counter[str] = field(default_factory=Counter)
    """Number of answers by path."""

    async def fetch(self, ports: Iterable[int]) -> None:
        """Fetch the pages of some ports, and append them to the file."""
        for port in ports:
            for path in PATHS:
                page = await asyncio.to_thread(fetched, port, path)
                if page is None:
                    break
                self._add(port, path, page)

    def _add(self, port: int, path: str, page: bytes) -> None:
        with self.file.open("ab") as file:
            file.write(b"GET %d%s\n%s\n" % (port, path.encode(), page))
        self.counts[path] += 1
