"""What a disk's failure means for a transaction: it is repeated, and says nothing of a file."""

from __future__ import annotations

import sqlite3

import pytest

from adapter.transports.files.failures import disk_failures
from adapter.transports.protocol import Cause, TransportError


@pytest.mark.parametrize(
    ("error", "cause"),
    [
        (OSError(28, "No space", "Quillfeather.hl7"), Cause("OSError", "ENOSPC")),
        (PermissionError(13, "no", "Quillfeather"), Cause("PermissionError", "EACCES")),
        (sqlite3.OperationalError("Quillfeather"), Cause("OperationalError")),
    ],
)
def test_a_failure_of_the_disk_is_one_of_the_transaction(error, cause):
    """By the names of its kind alone."""
    with pytest.raises(TransportError) as raised, disk_failures():
        raise error
    assert ("unreachable", cause) == (raised.value.code, raised.value.cause)
    assert raised.value.__cause__ is None


def test_what_sqlite_calls_a_failure_is_told(tmp_path):
    """A file that is no database, by SQLite's own name."""
    (tmp_path / "state").write_bytes(b"Quillfeather" * 100)
    with pytest.raises(TransportError) as raised, disk_failures():
        sqlite3.connect(tmp_path / "state").execute("SELECT * FROM state")
    assert Cause("DatabaseError", "SQLITE_NOTADB") == raised.value.cause


def test_a_mistake_of_the_program_is_no_failure_of_the_disk():
    """Repeating it would not end."""
    with pytest.raises(KeyError), disk_failures():
        raise KeyError
