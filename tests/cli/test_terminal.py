"""Nothing that a message or a file name holds is obeyed by a terminal."""

from __future__ import annotations

import os
import pty
from pathlib import Path

import pytest

from tests import processes

ROOT = Path(__file__).resolve().parents[2]
ESCAPES = "\x1b]0;owned\x07\x1b[2J\x9b31m"
NOTE = (
    "MSH|^~\\&|A|B|C|D|20240105||ORU^R01|2|P|2.5\r"
    "PID|1||8841277^^^H1^MR||QUILLFEATHER^JOHN||19600102|M\r"
    f"OBX|1|TX|1^Note||Seen today.{ESCAPES} Better.||||||F\r"
)


def on_terminal(*arguments):
    """What a command writes to a terminal, both streams."""
    master, slave = pty.openpty()
    process = processes.Started(
        ["-m", "adapter", *arguments],
        stdin=processes.DEVNULL,
        stdout=slave,
        stderr=slave,
        env=os.environ | {"PYTHONPATH": str(ROOT), "TERM": "dumb"},
    )
    os.close(slave)
    shown = b""
    while True:
        try:
            more = os.read(master, 65536)
        except OSError:
            break
        if not more:
            break
        shown += more
    process.wait(120)
    os.close(master)
    return shown


@pytest.mark.parametrize("command", ["explain", "explain --json", "file -o -"])
def test_escape_sequences_of_a_message_are_spelt(tmp_path, key, command):
    """A message's escape sequences, and those of its file's name, show as text."""
    file = tmp_path / "a\x1b[31mb.hl7"
    file.write_text(NOTE, "utf-8", newline="")
    name, *options = command.split()
    shown = on_terminal(name, file, *options, "--key", key)
    assert shown
    assert b"\x1b" not in shown.replace(b"\x1b[0m", b"")
    assert b"\x07" not in shown
    assert b"\xc2\x9b" not in shown


def test_names_of_held_files_are_spelt(tmp_path, key):
    """A held file is named without its escape sequences."""
    file = tmp_path / "a\x1b[31mb.hl7"
    file.write_bytes(b"MSH|")
    shown = on_terminal("file", file, "-o", tmp_path / "out", "--key", key)
    assert b"\\x1b[31mb.hl7#0" in shown
    assert b"\x1b[31m" not in shown
