"""``deid-adapter mart``; each subcommand is one module."""

from __future__ import annotations

import typer

from adapter.cli.mart.check import check
from adapter.cli.mart.erase import erase
from adapter.cli.mart.load import load
from adapter.cli.mart.release import release
from adapter.cli.mart.report import report

app = typer.Typer(
    help="The research mart: load, check, report, release, erase.", no_args_is_help=True
)


@app.callback()
def mart() -> None:
    """Load, check, report, release and erase the research mart."""


app.command("load")(load)
app.command("check")(check)
app.command("report")(report)
app.command("release")(release)
app.command("erase")(erase)
