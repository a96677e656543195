"""``deid-adapter keys``: the secrets that surrogates and sealing are derived from."""

from __future__ import annotations

import base64
import os
import secrets
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    help="Make the secrets that surrogates and quarantine need.", no_args_is_help=True
)


@app.callback()
def keys() -> None:
    """Make the secrets that surrogates and quarantine need."""


@app.command("new")
def new(
    out: Annotated[
        Path | None, typer.Option(help="File to write, readable by its owner only; else printed.")
    ] = None,
) -> None:
    """Make a secret of 32 random bytes, in base64; an existing file is never overwritten."""
    secret = base64.b64encode(secrets.token_bytes(32)).decode("ascii")
    if out is None:
        typer.echo(secret)
        return
    descriptor = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as stream:
        stream.write(secret + "\n")
