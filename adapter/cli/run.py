"""``deid-adapter run``: the adapter as a service."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from adapter.config import load_settings
from adapter.service import serve


def run(
    config: Annotated[
        Path, typer.Option("--config", "-c", help="Settings file (TOML).", exists=True)
    ],
) -> None:
    """Read, sanitize and republish until told to stop (SIGTERM, SIGINT) or the input ends."""
    raise typer.Exit(asyncio.run(serve(load_settings(config))))
