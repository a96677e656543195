"""``deid-adapter run``: runs the adapter as a service, or once as a dry run."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from adapter.cli.setup import RecallOption, rules
from adapter.cli.terminal import json_line, say
from adapter.config.settings import Settings, load_settings
from adapter.errors import RuleError
from adapter.rollout.dry_run import dry_run
from adapter.rollout.reload import Reloader, reloading
from adapter.rollout.summary import Summary
from adapter.rollout.watch import Seen, files_of
from adapter.runtime.runner import Runner
from adapter.runtime.service import serve
from adapter.sealing.key_lookup import with_surrogates_key
from adapter.shadow.service import Shadowing, shadowing
from adapter.telemetry.otel import tracing


def run(
    config: Annotated[
        Path, typer.Option("--config", "-c", help="Settings file (TOML).", exists=True)
    ],
    *,
    recall: RecallOption = None,
    watch: Annotated[
        bool, typer.Option("--watch", help="Reload the rules when their files change.")
    ] = False,
    dry: Annotated[
        bool,
        typer.Option(
            "--dry-run",
            help="Read existing records and print a summary; publish and commit nothing.",
        ),
    ] = False,
    records: Annotated[
        int,
        typer.Option(
            min=0, help="With --dry-run: read at most this many of the newest records; 0: all."
        ),
    ] = 0,
    as_json: Annotated[
        bool, typer.Option("--json", help="With --dry-run: print the summary as JSON.")
    ] = False,
) -> None:
    """Read, sanitize and publish messages until stopped (SIGTERM, SIGINT) or the input ends.

    SIGHUP reloads the rules.
    """
    if (records or as_json) and not dry:
        raise RuleError("--records and --json", "need --dry-run")
    load = partial(load_settings, config, said={"rules": rules(recall=recall)})
    if dry:
        _tried(load(), records, as_json=as_json)
    raise typer.Exit(asyncio.run(_served(load, config, watch=watch)))


async def _served(load: Callable[[], Settings], config: Path, *, watch: bool) -> int:
    loaded = with_surrogates_key(load())
    return await serve(loaded, beside=[partial(_beside, loaded, load, config if watch else None)])


@asynccontextmanager
async def _beside(
    loaded: Settings, load: Callable[[], Settings], config: Path | None, runner: Runner
) -> AsyncIterator[None]:
    """Run reloads, traces and the shadow beside the service."""
    shadow = Shadowing(runner, loaded)
    reloader = Reloader(runner, loaded, load, changed=shadow.change)
    look = partial(_files, reloader, config) if config else None
    async with tracing(loaded.traces, runner), shadowing(shadow), reloading(reloader, look):
        yield


def _files(reloader: Reloader, config: Path) -> Seen:
    return files_of(reloader.settings, config)


def _tried(loaded: Settings, records: int, *, as_json: bool) -> None:
    status, summary = asyncio.run(dry_run(loaded, records))
    if as_json:
        say(json_line(summary.as_dict()))
    else:
        _print(summary)
    raise typer.Exit(status)


def _print(summary: Summary) -> None:
    told = summary.as_dict()
    say(f"ruleset {summary.ruleset[:16]}; nothing was published or committed")
    for title in ("kinds", "holds", "spans"):
        for name, count in told[title].items():
            say(f"{title.removesuffix('s'):5}{count:10}  {name}")
    say(
        f"{told['released']} released, {told['held']} held of {told['records']} records "
        f"in {told['seconds']:.1f} s ({told['records_per_second']:,.0f}/s)"
    )
