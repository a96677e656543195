"""``deid-adapter review people``: manages who may log in."""

from __future__ import annotations

from typing import Annotated

import typer

from adapter.cli.review.setup import Config, extra, store_of
from adapter.cli.terminal import say
from adapter.config.settings import load_settings

app = typer.Typer(help="Manage who may log in.", no_args_is_help=True)


@app.callback()
def people() -> None:
    """Manage who may log in."""


@app.command("add")
def add(
    config: Config,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Log-in name.")],
    role: Annotated[str, typer.Option(help="annotator, officer, auditor or admin.")],
) -> None:
    """Add a person, and print a one-time log-in for them, valid for seven days."""
    with extra():
        from adapter.review.access import Access  # noqa: PLC0415 - an extra
    with store_of(load_settings(config)) as store:
        say(Access(store).add(name, role, ""))
