"""``deid-adapter file``: sanitizes files, folders or standard input into a folder."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from adapter.cli.setup import ConfigOption, KeyOption, ProfileOption, RecallOption, settings
from adapter.cli.terminal import counted, say
from adapter.config.settings import Settings
from adapter.runtime.report import Report
from adapter.runtime.runner import Runner
from adapter.runtime.service import INTERRUPTED, serve
from adapter.transports.files.names import REPORT, discover
from adapter.transports.files.transport import FilesTransport
from adapter.types import Processed, Record

SMALL = 256 * 1024
"""Bytes of input below which a second worker is not worth starting."""


def file(
    inputs: Annotated[list[str], typer.Argument(metavar="IN...", help="Files, folders, or -.")],
    out: Annotated[str, typer.Option("--out", "-o", help="Folder, or - for standard output.")],
    *,
    form: Annotated[
        Literal["auto", "hl7v2", "fhir", "text"],
        typer.Option("--format", help="Format of all input."),
    ] = "auto",
    workers: Annotated[int, typer.Option(min=0, help="Worker processes; 0: one per core.")] = 0,
    config: ConfigOption = None,
    key: KeyOption = None,
    profile: ProfileOption = None,
    recall: RecallOption = None,
) -> None:
    """Sanitize files: each keeps its name and framing under OUT; held messages are not written.

    Held messages are listed with stage and code on standard error and in OUT/report.json.
    """
    said: dict[str, object] = {"transport": "files", "files": {"inputs": inputs, "output": out}}
    if form != "auto":
        said["rules"] = {"formats": [form]}
    sources, skipped = discover(inputs, out)
    total = sum(source.path.stat().st_size for source in sources if source.path)
    if total < SMALL and "-" not in inputs:
        workers = 1
    if workers:
        said["workers"] = {"processes": workers}
    loaded = settings(config, key, profile, said, recall=recall, log={"level": "warning"})
    status, report = _run(loaded, total)
    for each in skipped:
        say(f"skipped {each.name}: {each.reason}", err=True)
    _print(report)
    if out != "-":
        status = _write(report, Path(out) / REPORT, status)
    raise typer.Exit(status)


def _run(loaded: Settings, total: int) -> tuple[int, Report]:
    report = Report()
    used: list[FilesTransport] = []

    @asynccontextmanager
    async def noted(running: Runner) -> AsyncIterator[None]:
        if isinstance(running.transport, FilesTransport):
            used.append(running.transport)
        yield

    with _progress(total) as progress:
        task = progress.add_task("", total=total or None, done=0)

        def watch(record: Record, processed: Processed) -> None:
            report.add(record, processed)
            progress.update(task, completed=report.bytes, done=report.messages)

        status = asyncio.run(serve(loaded, watch=watch, beside=[noted]))
    report.interrupted = status == INTERRUPTED
    for over in used:
        report.inputs, left = len(over.sources), over.unfinished
        report.finished = report.inputs - len(left)
        for name in left if over.output else ():
            report.unpublish(name)
    return status, report


@contextmanager
def _progress(total: int) -> Iterator[Progress]:
    console = Console(stderr=True)
    columns = (
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TextColumn("{task.fields[done]} messages"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=total < SMALL) as progress:
        yield progress


def _write(report: Report, path: Path, status: int) -> int:
    """Write the report; return the status of the run, or 2 if only the report failed."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)  # a run may end before it has made it
        report.write(path)
    except OSError as error:
        say(f"error: {path}: {error.strerror}", err=True)
        return status or 2
    return status


def _print(report: Report) -> None:
    for name, entry in sorted(report.files.items()):
        for held in entry.held:
            say(f"held {name}#{held['offset']}: {held['stage']}/{held['code']}", err=True)
    summary = report.as_dict()
    say(
        f"{report.released} released, {summary['held']} held of "
        f"{counted(report.messages, 'message')} "
        f"in {summary['seconds']:.1f} s ({summary['messages_per_second']:,.0f}/s)",
        err=True,
    )
    if report.interrupted:
        say(f"interrupted: {report.finished} of {report.inputs} files are finished", err=True)
