"""Reads a folder of released messages: files in order of name, each message of a file once.

The number of delivered messages of each file is kept in an SQLite file, written before the next
message is sent. A file is identified by its name: one that is written again is not sent again.
"""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import suppress
from typing import TYPE_CHECKING

from adapter.codecs.hl7v2.framing import split_hl7v2
from adapter.errors import RuleError
from adapter.send.sending import Outgoing
from adapter.transports.files.blocks import blocks
from adapter.transports.files.names import discover

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from adapter.transports.files.names import Source as File

POLL_SECONDS = 0.5
WHOLE = -1
"""Stored in place of a number of messages: all of them were delivered."""
_TABLE = "CREATE TABLE IF NOT EXISTS delivered (file TEXT PRIMARY KEY, messages INTEGER)"
_PUT = "INSERT OR REPLACE INTO delivered VALUES (?, ?)"


class FolderSource:
    """The files of a folder; with ``follow``, later files too."""

    def __init__(self, folder: Path, position: Path, *, follow: bool) -> None:
        """Open the file that records deliveries.

        Raises:
            RuleError: the file cannot be opened, or does not record deliveries.
        """
        self._folder, self._follow = folder, follow
        try:
            position.touch(mode=0o600)
            self._store = sqlite3.connect(position)
            self._store.execute("PRAGMA synchronous = FULL")
            with self._store as store:
                store.execute(_TABLE)
        except (OSError, sqlite3.Error) as error:
            name = type(error).__name__
            raise RuleError("send.position", f"cannot be opened ({name})") from None

    async def messages(self, stop: asyncio.Event) -> AsyncIterator[Outgoing]:
        """Yield the messages that were not delivered, file by file."""
        while not stop.is_set():
            for file in self._files():
                for message in self._of(file):
                    yield message
                self._note(file.name, WHOLE)
            if not self._follow:
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(stop.wait(), POLL_SECONDS)

    def _files(self) -> list[File]:
        """Return the files not delivered; files that are being written have hidden names."""
        found, _ = discover((str(self._folder),), "-", outputs=True)
        done = self._store.execute("SELECT file FROM delivered WHERE messages = ?", (WHOLE,))
        whole = {name for (name,) in done}
        hidden = (file.name.rpartition("/")[2].startswith(".") for file in found)
        pairs = zip(found, hidden, strict=True)
        return [file for file, part in pairs if not part and file.name not in whole]

    def _of(self, file: File) -> Iterator[Outgoing]:
        query = "SELECT messages FROM delivered WHERE file = ?"
        (done,) = self._store.execute(query, (file.name,)).fetchone() or (0,)
        safe = file.name.replace("%", "%25").replace("/", "%2F")
        for index, value in enumerate(_values(file)):
            if index >= done:
                yield Outgoing(value, f"{safe}-{index}", (file.name, 0, index))

    async def settle(self, message: Outgoing) -> None:
        """Record that a file is delivered up to this message."""
        file, _, index = message.position
        self._note(file, index + 1)

    def _note(self, file: str, messages: int) -> None:
        with self._store as store:
            store.execute(_PUT, (file, messages))

    async def close(self) -> None:
        """Close the file that records deliveries."""
        self._store.close()


def _values(file: File) -> Iterator[bytes]:
    if file.path is None:
        return
    with file.path.open("rb") as stream:
        for block in blocks(stream):
            for frame in split_hl7v2(block):
                if frame.value:
                    yield frame.value
