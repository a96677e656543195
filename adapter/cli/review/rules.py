"""``deid-adapter review export`` and ``apply``: convert approved proposals to rules."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from adapter.cli.review.setup import Config, store_of
from adapter.cli.terminal import say
from adapter.config.settings import load_settings
from adapter.review.feedback.effect import lexicon_items
from adapter.review.feedback.export import apply as applied
from adapter.review.feedback.export import exported, write
from adapter.rules.folder import rules_folder
from adapter.runtime import access


def export(
    config: Config,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder to write to.", file_okay=False)],
) -> None:
    """Write approved proposals as a lexicon and rules with provenance, and a corpus for `train`.

    The files contain protected text and are readable by their owner only. If the settings keep an
    audit, the export is recorded there first.
    """
    settings = load_settings(config)
    folder = rules_folder(settings)
    with store_of(settings) as store:
        if access.is_audited(settings):
            asyncio.run(access.record(settings, "review export", "review"))
        files = exported(store, lexicon_items(folder, sorted(folder.languages)))
    write(out, files)
    say(f"{out}: {len(files)} files", err=True)


def apply(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Folder written by `export`.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="New rules folder.", file_okay=False)],
    config: Config,
) -> None:
    """Add an export to a copy of the current rules; name the copy in rules.folder to use it."""
    applied(folder, rules_folder(load_settings(config)).path, out)
    say(f"{out}: a copy of the rules that includes the export; not in force yet", err=True)
    say("Next: run deid-adapter check with rules.folder set to it", err=True)
