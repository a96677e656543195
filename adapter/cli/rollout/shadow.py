"""``deid-adapter shadow``: counts how other rules would process files differently."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from adapter.audit import configure_logs
from adapter.cli.setup import KeyOption, settings
from adapter.cli.terminal import json_line, say
from adapter.config.settings import load_settings
from adapter.shadow.comparison import KINDS, Comparison
from adapter.shadow.files import over_files


def shadow(
    inputs: Annotated[list[str], typer.Argument(metavar="INPUT...", help="Files, folders, or -.")],
    against: Annotated[
        Path, typer.Option("--against", help="Settings file with the rules to try.", exists=True)
    ],
    *,
    config: Annotated[
        Path, typer.Option("--config", "-c", help="Current settings file.", exists=True)
    ],
    key: KeyOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the comparison as JSON.")] = False,
) -> None:
    """Compare the rules of two settings files over messages; nothing is written.

    Prints mentions gained and lost by label and source, types, extents, surrogates and handlings
    that differ, holds gained and lost, and the ratio of speeds.
    """
    loaded = settings(config, key)
    configure_logs("warning")
    found = asyncio.run(over_files(loaded, load_settings(against), inputs))
    if as_json:
        say(json_line(found.as_dict()))
    else:
        _print(found)
    raise typer.Exit(1 if found.failed else 0)


def _print(found: Comparison) -> None:
    told = found.as_dict()
    for kind in KINDS:
        for what, count in told[kind].items():
            say(f"{kind.replace('_', ' '):13}{count:9}  {what}")
    ratio = f"{told['speed_ratio']:.2f}" if told["speed_ratio"] else "-"
    say(
        f"{told['different']} of {told['records']} messages differ; {told['failed']} failed; "
        f"at {ratio} of the speed of the current rules"
    )
