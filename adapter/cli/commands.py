"""The subcommands of ``deid-adapter``, each imported when it is first asked for.

Importing all of them takes seconds, which would slow down every short command.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typer.core import TyperCommand

    Command = TyperCommand | TyperGroup

COMMANDS = {
    "demo": "adapter.cli.demo.command:demo",
    "run": "adapter.cli.run:run",
    "shadow": "adapter.cli.rollout.shadow:shadow",
    "file": "adapter.cli.file:file",
    "send": "adapter.cli.send:send",
    "replay": "adapter.cli.archives.replay:replay",
    "spark": "adapter.cli.archives.spark:spark",
    "explain": "adapter.cli.explain:explain",
    "reidentify": "adapter.cli.reidentify:reidentify",
    "tag": "adapter.cli.taggers.tag:tag",
    "evaluate": "adapter.cli.taggers.evaluate:evaluate",
    "train": "adapter.cli.taggers.train:train",
    "induce": "adapter.cli.taggers.induce:induce",
    "check": "adapter.cli.check:check",
    "keys": "adapter.cli.keys:app",
    "quarantine": "adapter.cli.quarantine:app",
    "audit": "adapter.cli.audit:app",
    "mart": "adapter.cli.mart:app",
    "schema": "adapter.cli.schema:app",
    "review": "adapter.cli.review:app",
}
"""Name of a subcommand -> module and name of its function, or of its group of subcommands."""


class Subcommands(Mapping[str, "Command"]):
    """Name -> subcommand, in the order of `COMMANDS`."""

    def __getitem__(self, name: str) -> Command:
        """Return a subcommand, importing its module."""
        return _command(COMMANDS[name])

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names, without importing anything."""
        return iter(COMMANDS)

    def __len__(self) -> int:
        """Return the number of subcommands."""
        return len(COMMANDS)


class Commands(TyperGroup):
    """The group of all subcommands."""

    def __init__(self, **attributes: Any) -> None:
        """Take the attributes that typer gives a group."""
        super().__init__(**attributes)
        self.commands = Subcommands()  # type: ignore[assignment]


@cache
def _command(place: str) -> Command:
    module, _, attribute = place.partition(":")
    found = getattr(import_module(module), attribute)
    group = typer.Typer()
    if isinstance(found, typer.Typer):
        group.add_typer(found, name=module.rpartition(".")[2])
    else:
        group.command(attribute)(found)
    return cast("Command", next(iter(typer.main.get_group(group).commands.values())))
