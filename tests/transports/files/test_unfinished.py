"""Unfinished files: removed on failure, and after a kill by the next run, never while locked."""

from __future__ import annotations

import errno
import os
import resource
from contextlib import contextmanager

import pytest

from adapter.transports.files.names import discover
from adapter.transports.files.unfinished import (
    Unfinished,
    is_unfinished,
    remove_abandoned,
    replacing,
)
from tests import processes

WRITER = """
import sys
from pathlib import Path
from adapter.transports.files.unfinished import Unfinished
unfinished = Unfinished(Path(sys.argv[1]))
print("open", flush=True)
sys.stdin.read()
"""


@contextmanager
def limited(size):
    """No file of this process may become longer: a write fails as on a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_finished_file_replaces_the_older_one(tmp_path):
    """The older file stays until the new one is whole, and nothing else is left."""
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with replacing(path) as stream:
        stream.write(b"new")
        assert b"old" == path.read_bytes()
    assert [b"new"] == [file.read_bytes() for file in tmp_path.iterdir()]


def test_a_new_file_has_the_usual_access_rights(tmp_path):
    """The file can be read by whom the umask allows to, unlike a private temporary file."""
    with replacing(tmp_path / "a"):
        pass
    (tmp_path / "b").touch()
    modes = {file.stat().st_mode for file in tmp_path.iterdir()}
    assert 1 == len(modes)


@pytest.mark.parametrize("size", [10, 1 << 20])
def test_a_file_that_cannot_be_written_is_removed(tmp_path, size):
    """A write that fails at once, or not before the end, leaves the older file alone."""
    path = tmp_path / "a"
    path.write_bytes(b"old")
    with limited(5), pytest.raises(OSError, match=os.strerror(errno.EFBIG)):  # noqa: SIM117
        with replacing(path) as stream:
            stream.write(b"x" * size)
    assert [b"old"] == [file.read_bytes() for file in tmp_path.iterdir()]


def test_a_file_whose_writing_fails_is_removed(tmp_path):
    """An exception of the block removes the file."""
    with pytest.raises(KeyError), replacing(tmp_path / "a"):
        raise KeyError
    assert [] == [*tmp_path.iterdir()]


def test_a_file_of_a_killed_process_is_removed(tmp_path):
    """While its process runs, the file stays; when it was killed, the next run removes it."""
    script, folder = tmp_path / "writer.py", tmp_path / "out" / "sub"
    script.write_text(WRITER)
    folder.mkdir(parents=True)
    ours, theirs = os.pipe()
    writer = processes.Started([script, folder / "a"], stdin=ours, stdout=processes.PIPE)
    assert b"open\n" == writer.stdout.readline()
    remove_abandoned(tmp_path / "out")
    assert [True] == [is_unfinished(file.name) for file in folder.iterdir()]
    writer.kill()
    writer.wait(30)
    remove_abandoned(tmp_path / "out")
    assert [] == [*folder.iterdir()]
    for descriptor in (ours, theirs):
        os.close(descriptor)


def test_a_file_of_this_process_stays(tmp_path):
    """A process does not remove the files that it is itself writing."""
    unfinished = Unfinished(tmp_path / "a")
    remove_abandoned(tmp_path)
    unfinished.finish()
    assert ["a"] == [file.name for file in tmp_path.iterdir()]


def test_a_removed_name_is_not_written_to(tmp_path, monkeypatch):
    """A file that another run removes before it is locked is created again."""
    made = []

    def flock(*_):
        if not made:
            made.extend(tmp_path.iterdir())
            made[0].unlink()

    monkeypatch.setattr("fcntl.flock", flock)
    with replacing(tmp_path / "a") as stream:
        stream.write(b"new")
    assert [b"new"] == [file.read_bytes() for file in tmp_path.iterdir()]


def test_other_names_and_links_stay(tmp_path):
    """Only the names of this program are removed, and no link is followed."""
    name = ".deid-adapter-abcd_123.part"
    (tmp_path / "else").mkdir()
    (tmp_path / "else" / name).touch()
    out = tmp_path / "out"
    (out / "sub").mkdir(parents=True)
    (out / "sub" / name).symlink_to(tmp_path / "else" / name)
    (out / "linked").symlink_to(tmp_path / "else")
    others = (".a.part", ".deid-adapter-.part", f"{name}.bak", f"x{name}", name.upper())
    for other in others:
        (out / other).touch()
    (out / name).touch()
    remove_abandoned(out)
    assert {*others, "sub", "linked"} == {path.name for path in out.iterdir()}
    assert (out / "sub" / name).is_symlink()
    assert (tmp_path / "else" / name).exists()


def test_unfinished_files_are_no_input(tmp_path):
    """A folder that another run is writing to can be read without what is not finished."""
    with replacing(tmp_path / "a"):
        (tmp_path / "b").touch()
        sources, _ = discover((str(tmp_path),), "-")
        assert ["b"] == [source.name for source in sources]
