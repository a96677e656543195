"""What the commands that build lists from public sources have in common."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

SourcesArgument = Annotated[
    Path,
    typer.Argument(
        help="Folder with the public lists that each source.toml names.",
        exists=True,
        file_okay=False,
    ),
]
OutOption = Annotated[Path, typer.Option("--out", "-o", help="Folder to write to.")]


def command_of(build: Callable[..., None]) -> typer.Typer:
    """Return a program of one command; its errors show no values of corpora.

    Args:
        build: what it does. Its parameters are the arguments and options, its docstring the help.
    """
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(build)
    return app
