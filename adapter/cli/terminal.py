"""Output of commands: control characters of messages or names never reach a terminal."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any

import typer

from adapter.errors import RuleError
from adapter.normalize.printable import CONTROLS, visible, visible_bytes

if TYPE_CHECKING:
    from pathlib import Path


def say(text: str, *, err: bool = False, end: str = "\n") -> None:
    """Write a line to standard output or standard error, with control characters escaped."""
    typer.echo(visible(text) + end, err=err, nl=False)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: "1 message", "2 messages"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def json_line(value: Any) -> str:
    """Return one line of JSON with all control characters escaped."""
    line = json.dumps(value, ensure_ascii=False)
    return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def write_private(path: Path, text: str) -> None:
    """Write a new file that only its owner can read.

    Raises:
        RuleError: there is something of that name.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise RuleError(str(path), "already exists") from None
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)


def write_raw(raw: bytes) -> None:
    """Write bytes to standard output unchanged; a terminal would execute control sequences."""
    sys.stdout.buffer.write(raw)


def write_visible(raw: bytes) -> None:
    """Write a message as lines, with control characters escaped, wherever standard output goes.

    A pipe can also lead to a terminal: `less -R`, `tee`, a recorded terminal.
    """
    shown = visible_bytes(raw)
    sys.stdout.buffer.write(shown if shown.endswith(b"\n") else shown + b"\n")
