"""``deid-adapter keys new``."""

from __future__ import annotations

import base64
import stat


def test_a_secret_is_printed(invoke):
    """Without --out the secret goes to standard output: 32 bytes in base64, new each time."""
    first, second = (invoke("keys", "new").output.strip() for _ in range(2))
    assert (32, 32) == (len(base64.b64decode(first)), len(base64.b64decode(second)))
    assert first != second


def test_a_file_is_readable_by_its_owner_only(invoke, tmp_path):
    """The file has mode 0600, and nothing of the secret is printed."""
    file = tmp_path / "new.key"
    told = invoke("keys", "new", "--out", file)
    assert (0, "") == (told.exit_code, told.output)
    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    assert 32 == len(base64.b64decode(file.read_text()))


def test_a_file_is_never_overwritten(run_cli, tmp_path):
    """An existing file stays as it is, and the refusal names it."""
    file = tmp_path / "old.key"
    file.write_text("precious")
    ended = run_cli("keys", "new", "--out", file)
    assert 2 == ended.returncode
    assert f"error: {file}: File exists\n".encode() == ended.stderr
    assert "precious" == file.read_text()
