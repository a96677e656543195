"""The patient memory file: an SQLite table of the last sealed entry of each name.

Only one run at a time should write it: a second run waits for each write of the first, and knows
only the entries that existed when it started.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.types import Position, Record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_WAIT_SECONDS = 30.0
_TABLE = "CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, entry BLOB)"
_POSITION = Position("state", 0, 0)


class StateFile:
    """The entries of one file, which is created if missing, readable by its owner only."""

    def __init__(self, path: Path) -> None:
        """Open or create the file.

        Raises:
            RuleError: the file cannot be opened, or is not a patient memory file.
        """
        try:
            path.touch(mode=0o600)
            self._store = sqlite3.connect(path, timeout=_WAIT_SECONDS, check_same_thread=False)
            self._store.execute("PRAGMA secure_delete = ON")
            with self._store as store:
                store.execute(_TABLE)
        except (OSError, sqlite3.Error) as error:
            raise RuleError("files.state", f"cannot be opened ({type(error).__name__})") from None

    def records(self) -> Iterator[Record]:
        """Yield all entries, oldest first."""
        with closing(self._store.execute("SELECT name, entry FROM state ORDER BY rowid")) as rows:
            for name, entry in rows:
                yield Record(entry, _POSITION, name.encode())

    def write(self, records: Iterable[Record]) -> None:
        """Replace entries by name; a record without value deletes its entry."""
        with self._store as store:
            for record in records:
                name = (record.key or b"").decode()
                if record.value is None:
                    store.execute("DELETE FROM state WHERE name = ?", (name,))
                else:
                    put = "INSERT OR REPLACE INTO state VALUES (?, ?)"
                    store.execute(put, (name, record.value))

    def close(self) -> None:
        """Close the file."""
        self._store.close()
