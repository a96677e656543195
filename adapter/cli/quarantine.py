"""``deid-adapter quarantine``: held messages, sealed; listing needs no key, the rest does."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from adapter.cli.terminal import say, write_raw
from adapter.config.settings import Settings, load_settings
from adapter.errors import RuleError
from adapter.runtime import quarantine_ops
from adapter.sealing.box import SealError
from adapter.sealing.quarantine import Held
from adapter.types import Hold, Processed, Record

app = typer.Typer(help="List, open and retry held messages.", no_args_is_help=True)
Config = Annotated[Path, typer.Option("--config", "-c", help="Settings file (TOML).", exists=True)]


@app.callback()
def quarantine() -> None:
    """List, open and retry held messages."""


@app.command("list")
def list_held(config: Config) -> None:
    """List what is held: name, time, stage and code, attempts. Needs no key."""
    total = asyncio.run(_listed(load_settings(config)))
    say(f"{total} held", err=True)


async def _listed(settings: Settings) -> int:
    total = 0
    async for name, entry in quarantine_ops.listed(settings):
        say(_line(name, entry))
        total += 1
    return total


def _line(name: str, entry: Held) -> str:
    time = dt.datetime.fromtimestamp(entry.time_ms / 1000, dt.UTC).isoformat(timespec="seconds")
    payload = "" if entry.payload else "  too large: only at its source"
    reason = f"{entry.stage}/{entry.code}"
    return f"{name}  {time}  {reason:30}  attempt {entry.attempts}  {entry.format}{payload}"


@app.command("show")
def show(
    config: Config,
    name: Annotated[str, typer.Argument(metavar="NAME", help="As `quarantine list` gives it.")],
) -> None:
    """Write the original bytes of one held message to standard output; needs the key.

    For people allowed to see it.
    """
    try:
        entry, record = asyncio.run(quarantine_ops.show(load_settings(config), name))
    except SealError as error:
        raise RuleError(name, error.reason) from None
    say(_line(name, entry), err=True)
    write_raw(record.value or b"")


@app.command("retry")
def retry(config: Config) -> None:
    """Process everything held once more by the rules of today, and release what now may leave."""
    counts: Counter[str] = Counter()

    def watch(_record: Record, processed: Processed) -> None:
        outcome = processed.outcome
        counts[f"{outcome.stage}/{outcome.code}" if isinstance(outcome, Hold) else "released"] += 1

    status = asyncio.run(quarantine_ops.retry(load_settings(config), watch=watch))
    for reason, count in sorted(counts.items()):
        say(f"{count:6} {reason}")
    raise typer.Exit(status)
