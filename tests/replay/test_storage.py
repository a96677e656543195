"""Objects are written completely or not at all, and errors quote no text of a client."""

from __future__ import annotations

import errno
import os
import stat

import pytest

from adapter.replay.errors import ReplayError, shown
from adapter.replay.storage import Storage
from tests.transports.files.test_unfinished import limited


def breaking():
    """Yield one piece, then fail."""
    yield b"first"
    raise ReplayError("a", "is damaged")


@pytest.fixture(params=["file", "memory"])
def storage(request, tmp_path):
    """Return an empty folder, on this machine or elsewhere."""
    return Storage.at(str(tmp_path) if request.param == "file" else f"memory://{tmp_path}")


def test_an_object_is_there_whole_or_as_it_was(storage):
    """A write that fails leaves the previous object, or none."""
    storage.write("sub/a", [b"whole", b" and all"])
    with pytest.raises(ReplayError, match="is damaged"):
        storage.write("sub/a", breaking())
    assert b"whole and all" == storage.read("sub/a")
    with pytest.raises(ReplayError, match="is damaged"):
        storage.write("sub/b", breaking())
    assert storage.read("sub/b") is None
    assert ["sub/a"] == [each.name for each in storage.objects()]


def test_a_full_disk_leaves_no_part_of_an_object(tmp_path):
    """A write that the disk refuses at once, or at the end, leaves only the previous object."""
    storage = Storage.at(str(tmp_path))
    storage.write("a", [b"old"])
    for size in (10, 1 << 20):
        with limited(5), pytest.raises(ReplayError, match=os.strerror(errno.EFBIG)):
            storage.write("a", [b"x" * size])
        assert [b"old"] == [file.read_bytes() for file in tmp_path.iterdir()]


def test_what_is_gone_need_not_be_removed(storage):
    """Removing an object or folder twice is no error."""
    storage.write("sub/a", [b"x"])
    for _ in range(2):
        storage.remove("sub")
        assert [] == storage.objects()


def test_a_clients_own_text_is_not_quoted():
    """An error's text is not quoted, because a server can put credentials into it."""
    storage = Storage.at("memory://bucket/folder")
    told = str(storage.failed("a", PermissionError(13, "key AKIAQUILLFEATHER does not exist")))
    assert told == "memory:///bucket/folder/a: Permission denied"
    assert "fails (ValueError)" in str(storage.failed("a", ValueError("AKIAQUILLFEATHER")))


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("sftp://wren:quillfeather@host/folder", "sftp://host/folder"),
        ("https://host/a?sig=quillfeather", "https://host/a"),
        ("s3://bucket/a@b", "s3://bucket/a@b"),
        ("/folder/a?b@c", "/folder/a?b@c"),
    ],
)
def test_addresses_are_shown_without_credentials(url, told):
    """User, password and query of an address are not shown."""
    assert told == shown(url)


def test_an_address_that_is_none_shows_no_password():
    """An unknown file system is reported without the address's user and password."""
    with pytest.raises(ReplayError) as failed:
        Storage.at("nosuch://wren:quillfeather@host/folder")
    assert "quillfeather" not in str(failed.value)


def test_missing_credentials_are_told_with_the_address():
    """Also what to set, by the name that the client's error has."""
    named = type("NoCredentialsError", (Exception,), {})("key AKIAQUILLFEATHER")
    told = str(Storage.at("memory://ward").failed("a", named))
    assert told.startswith("memory:///ward/a: has no credentials (NoCredentialsError): set ")
    assert "AKIAQUILLFEATHER" not in told


def test_a_private_folder_is_its_owners_alone(tmp_path):
    """A private folder is created with access for its owner only."""
    storage = Storage.at(str(tmp_path / "journal"), private=True)
    storage.write("plan.json", [b"{}"])
    storage.below("lanes/a").write("0", [b"x"])
    assert 0o700 == stat.S_IMODE((tmp_path / "journal").stat().st_mode)
