"""What commands show to people: no control character of a message or name reaches a terminal."""

from __future__ import annotations

import json
import sys
from typing import Any

import typer

from adapter.normalize.printable import CONTROLS, visible, visible_bytes


def say(text: str, *, err: bool = False, end: str = "\n") -> None:
    """Write a line to standard output, or to standard error."""
    typer.echo(visible(text) + end, err=err, nl=False)


def json_line(value: Any) -> str:
    """One line of JSON whose strings have no control characters as such."""
    line = json.dumps(value, ensure_ascii=False)
    return CONTROLS.sub(lambda found: f"\\u{ord(found[0]):04x}", line)


def write_raw(raw: bytes) -> None:
    """Write bytes to standard output as they are; a terminal would obey what is in them."""
    sys.stdout.buffer.write(raw)


def write_visible(raw: bytes) -> None:
    """Write a message as lines, with controls as escapes, whatever standard output is.

    A pipe may lead to a terminal too: `less -R`, `tee`, a terminal that is recorded.
    """
    shown = visible_bytes(raw)
    sys.stdout.buffer.write(shown if shown.endswith(b"\n") else shown + b"\n")
