"""``deid-adapter mart erase``."""

from __future__ import annotations

from typing import Annotated

import typer

from adapter.cli.mart.setup import Config, store_of, today
from adapter.cli.terminal import say
from adapter.config.settings import load_settings
from adapter.mart.erasure import erase as erase_persons


def erase(
    config: Config,
    numbers: Annotated[
        list[str], typer.Argument(metavar="NUMBER...", help="Surrogate numbers or Patient ids.")
    ],
    reason: Annotated[str, typer.Option("--reason", help="Reason, stored with the erasure.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Erase persons permanently: their rows, their bytes in the files, and every later message.

    Prints the earlier releases, which must be recalled.
    """
    if not yes:
        typer.confirm(
            f"Permanently erase every person who has one of {len(numbers)} numbers?", abort=True
        )
    with store_of(load_settings(config).mart) as store:
        told = erase_persons(store, numbers, reason, today())
    say(f"{told.numbers} numbers blocked, {told.versions} resource versions erased")
    if not told.versions:
        say("note: the mart has no resource of a person with any of these numbers", err=True)
    for name in told.recall:
        say(f"recall release {name}")
