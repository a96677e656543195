"""``deid-adapter replay``: processes topics or their archive again, into a topic or a folder."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from adapter.cli.terminal import say
from adapter.config.settings import Settings, load_settings
from adapter.replay.passes import Watch
from adapter.replay.plan import Plan
from adapter.replay.registry import source_of
from adapter.replay.run import planned, ready
from adapter.replay.run import replay as run_replay
from adapter.replay.run import verify as run_verify
from adapter.types import Hold, Processed, Record


def replay(
    config: Annotated[
        Path,
        typer.Option(
            "--config", "-c", help="Settings file (TOML) with a table replay.", exists=True
        ),
    ],
    plan: Annotated[
        bool, typer.Option("--plan", help="Survey the source and print the plan; run nothing.")
    ] = False,
    resume: Annotated[bool, typer.Option("--resume", help="Continue after a stop.")] = False,
    verify: Annotated[
        str | None,
        typer.Option(
            "--verify",
            metavar="TARGET",
            help="Write nothing; compare with kafka, kafka:TEMPLATE or the folder of a replay.",
        ),
    ] = None,
) -> None:
    """Process a range of topics, or an archive of them, again by the current rules."""
    loaded = load_settings(config, log={"level": "warning"})
    with _bar() as bar:
        shown = _Shown(bar)
        if plan:
            for line in asyncio.run(_planned(loaded, shown.watch())).lines():
                say(line)
            return
        if verify is not None:
            done = asyncio.run(run_verify(loaded, verify, watch=shown.watch()))
        else:
            done = asyncio.run(run_replay(loaded, resume=resume, watch=shown.watch()))
    if done.manifest and verify is not None:
        _compared(done.manifest["output"])
    elif done.manifest:
        _tell(done.manifest)
    else:
        say("stopped; continue with --resume", err=True)
    raise typer.Exit(done.status)


async def _planned(loaded: Settings, watch: Watch) -> Plan:
    settings, digest = ready(loaded)
    source = source_of(settings)
    try:
        return await planned(settings, digest, source, watch)
    finally:
        await source.stop()


@contextmanager
def _bar() -> Iterator[Progress]:
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.completed:.0f} of {task.total:.0f}{task.fields[held]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        yield progress


@dataclass(slots=True)
class _Shown:
    """The progress bar: objects while the source is surveyed, then records."""

    bar: Progress
    task: TaskID = field(init=False)
    held: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.task = self.bar.add_task("survey", total=1, held="")

    def watch(self) -> Watch:
        return Watch(self._surveyed, self._planned, self._learned, self._settled)

    def _surveyed(self, done: int, total: int) -> None:
        self.bar.update(self.task, completed=done, total=max(1, total))

    def _planned(self, plan: Plan, done: int) -> None:
        for line in (*plan.survey.lacks, *plan.survey.warnings):
            say(f"note: {line}", err=True)
        self.bar.reset(self.task, total=max(1, plan.survey.records), completed=done)
        self.bar.update(self.task, description="replay")

    def _learned(self, records: int) -> None:
        self.bar.update(self.task, advance=records, description="first pass")
        if self.bar.tasks[0].finished:
            self.bar.reset(self.task, description="replay", completed=0)

    def _settled(self, _record: Record, processed: Processed) -> None:
        if isinstance(processed.outcome, Hold):
            self.held["held"] += 1
        held = f", {self.held['held']} held" if self.held else ""
        self.bar.update(self.task, advance=1, held=held)


def _tell(manifest: dict[str, Any]) -> None:
    totals = manifest["totals"]
    for name, count in totals["holds"].items():
        say(f"held {count}: {name}", err=True)
    say(
        f"{totals['released']} released, {totals['held']} held of {totals['records']} records; "
        f"sha256 {manifest['output'].get('sha256', '')}",
        err=True,
    )


def _compared(report: dict[str, Any]) -> None:
    for place in report["places"]:
        say(place)
    for why, count in report["differences"].items():
        say(f"DIFFERENT  {count}: {why}")
    same = ", ".join(f"{count} {what}" for what, count in report["same"].items()) or "nothing"
    say(f"identical: {same}; published outside the replay: {report['outside']}")
