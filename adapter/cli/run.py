"""``deid-adapter run``: the adapter as a service."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from adapter.cli.setup import RecallOption, rules
from adapter.config.settings import load_settings
from adapter.runtime.service import serve


def run(
    config: Annotated[
        Path, typer.Option("--config", "-c", help="Settings file (TOML).", exists=True)
    ],
    recall: RecallOption = None,
) -> None:
    """Read, sanitize and republish until stopped (SIGTERM, SIGINT) or the input ends."""
    loaded = load_settings(config, said={"rules": rules(recall=recall)})
    raise typer.Exit(asyncio.run(serve(loaded)))
