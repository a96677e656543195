"""Disk failures become failed transactions, which are retried and reveal nothing of a file."""

from __future__ import annotations

import sqlite3

import pytest

from adapter.telemetry.error_names import concerning
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
    """A disk failure is converted with its type and error name only, and is not chained."""
    with pytest.raises(TransportError) as raised, disk_failures():
        raise error
    assert ("unreachable", cause) == (raised.value.code, raised.value.cause)
    assert raised.value.__cause__ is None


def test_the_setting_that_names_the_file_is_told():
    """What the failure is about is named by its setting, since a file's name can identify."""
    with pytest.raises(TransportError) as raised, disk_failures(), concerning("files.audit"):
        raise OSError(28, "No space", "Quillfeather.hl7")
    cause = raised.value.cause
    assert Cause("OSError", "ENOSPC", setting="files.audit") == cause
    assert "transport/unreachable, ENOSPC, files.audit" == raised.value.described


def test_what_sqlite_calls_a_failure_is_told(tmp_path):
    """A file that is not a database is reported with SQLite's own error name."""
    (tmp_path / "state").write_bytes(b"Quillfeather" * 100)
    with pytest.raises(TransportError) as raised, disk_failures():
        sqlite3.connect(tmp_path / "state").execute("SELECT * FROM state")
    assert Cause("DatabaseError", "SQLITE_NOTADB") == raised.value.cause


def test_a_mistake_of_the_program_is_no_failure_of_the_disk():
    """Exceptions that are not disk failures pass through, because a retry would never succeed."""
    with pytest.raises(KeyError), disk_failures():
        raise KeyError
