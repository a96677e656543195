"""Secrets are read only from files that nobody else may read or change."""

from __future__ import annotations

import os

import pytest

from adapter.config.secret_files import read_secret
from adapter.errors import RuleError


@pytest.mark.parametrize("mode", [0o600, 0o400, 0o700])
def test_files_of_their_owner_alone_are_read(tmp_path, mode):
    """Whatever the owner alone may do with a file is fine."""
    file = tmp_path / "s.key"
    file.write_bytes(b"secret")
    file.chmod(mode)
    assert b"secret" == read_secret(file)


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o644, 0o620, 0o602, 0o666])
def test_files_open_to_others_are_refused(tmp_path, mode):
    """A file that its group or anybody may read or change is refused, by its name, unread."""
    file = tmp_path / "s.key"
    file.write_bytes(b"secret")
    file.chmod(mode)
    with pytest.raises(RuleError, match=r"s\.key: can be read or changed by other users"):
        read_secret(file)


@pytest.mark.parametrize(("mode", "fine"), [(0o440, True), (0o460, False), (0o444, False)])
def test_mounted_secrets_are_read_through_their_group(tmp_path, monkeypatch, mode, fine):
    """A file of another owner may be read by its group, as a platform mounts it; no more."""
    file = tmp_path / "s.key"
    file.write_bytes(b"secret")
    file.chmod(mode)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    if fine:
        assert b"secret" == read_secret(file)
    else:
        with pytest.raises(RuleError):
            read_secret(file)
