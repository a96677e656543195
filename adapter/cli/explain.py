"""``deid-adapter explain``: shows every decision about a message, with its original text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from adapter.cli.explanation import Explanation, explanations, html_page, shown
from adapter.cli.setup import ConfigOption, KeyOption, ProfileOption, RecallOption, settings
from adapter.cli.terminal import json_line, say, write_private
from adapter.rules.compile import load_ruleset

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.pipeline.ruleset import Ruleset


def explain(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE...", help="Files or folders of messages.", exists=True),
    ],
    *,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one line of JSON per message.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option(help="Write an HTML page to this new file instead.")
    ] = None,
    config: ConfigOption = None,
    key: KeyOption = None,
    profile: ProfileOption = None,
    recall: RecallOption = None,
    topic: Annotated[
        str,
        typer.Option(help="Use the settings of this topic; default: chosen by file name."),
    ] = "",
) -> None:
    """Show each mention with its place, label, source, score, entity and surrogate.

    The output contains original text: only for people who may see it.
    """
    ruleset = load_ruleset(settings(config, key, profile, recall=recall))
    found = _all(files, ruleset, topic)
    if html is not None:
        write_private(html, html_page(found))
        say(f"written: {html}", err=True)
    elif as_json:
        for explanation in found:
            typer.echo(json_line(explanation.as_json()))
    else:
        console = Console(highlight=False, soft_wrap=True)
        for explanation in found:
            console.print(shown(explanation))


def _all(files: list[Path], ruleset: Ruleset, topic: str) -> Iterator[Explanation]:
    for file in files:
        for path in sorted(p for p in file.rglob("*") if p.is_file()) if file.is_dir() else [file]:
            own = ruleset.of(topic or path.name)
            yield from explanations(str(path), path.read_bytes(), own)
