"""Common parts of the commands that build lists from public sources."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

    from typer.models import ArgumentInfo


def existing_folder(about: str) -> ArgumentInfo:
    """Return an argument that must be an existing folder; ``about`` is its help text."""
    return typer.Argument(help=about, exists=True, file_okay=False)  # type: ignore[no-any-return]


def existing_file(about: str) -> ArgumentInfo:
    """Return an argument that must be an existing file; ``about`` is its help text."""
    return typer.Argument(help=about, exists=True, dir_okay=False)  # type: ignore[no-any-return]


SourcesArgument = Annotated[
    Path, existing_folder("Folder with the public lists that each source.toml names.")
]
OutOption = Annotated[Path, typer.Option("--out", "-o", help="Folder to write to.")]


def command_of(build: Callable[..., None]) -> typer.Typer:
    """Return a program with one command, whose errors show no values of corpora.

    Args:
        build: the command. Its parameters are the arguments and options, its docstring the help.
    """
    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    app.command()(build)
    return app
