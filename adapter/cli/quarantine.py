"""``deid-adapter quarantine``: manages held messages; listing needs no key, opening one does."""

from __future__ import annotations

import asyncio
import datetime as dt
import getpass
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from adapter.cli.terminal import json_line, say, write_raw, write_visible
from adapter.config.settings import load_settings
from adapter.errors import CODES, RuleError
from adapter.runtime.quarantine import operations
from adapter.runtime.quarantine.entries import Entry, Selection, State
from adapter.sealing.box import SealError
from adapter.types import Hold, Processed, Record

RELEASED = "released"

app = typer.Typer(help="List, open, retry and discard held messages.", no_args_is_help=True)
Config = Annotated[Path, typer.Option("--config", "-c", help="Settings file (TOML).", exists=True)]
Names = Annotated[
    list[str] | None, typer.Argument(metavar="[NAME...]", help="Names as in `quarantine list`.")
]
Stage = Annotated[list[str] | None, typer.Option(help="Only this stage; can be repeated.")]
Code = Annotated[
    list[str] | None, typer.Option(help="Only this code, or stage/code; can be repeated.")
]
Topic = Annotated[list[str] | None, typer.Option(help="Only from this topic; can be repeated.")]
Since = Annotated[str | None, typer.Option(help="Only held at or after this time (ISO 8601, UTC).")]
Until = Annotated[str | None, typer.Option(help="Only held before this time (ISO 8601, UTC).")]
Transient = Annotated[
    bool, typer.Option("--transient", help="Only failures that can be temporary.")
]

Reason = Annotated[
    str, typer.Option(help="Reason, kept in the audit; must not identify a patient.")
]


@app.callback()
def quarantine() -> None:
    """List, open, retry and discard held messages."""


@app.command("list")
def list_held(
    config: Config,
    names: Names = None,
    *,
    stage: Stage = None,
    code: Code = None,
    topic: Topic = None,
    since: Since = None,
    until: Until = None,
    transient: Transient = False,
    every: Annotated[
        bool, typer.Option("--all", help="Include messages that were superseded or released later.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per line.")
    ] = False,
) -> None:
    """List held messages: name, time, stage and code, attempts, source. Needs no key."""
    selection = _selection(
        names, stage=stage, code=code, topic=topic, since=since, until=until, transient=transient
    )
    found = asyncio.run(operations.listed(load_settings(config), selection))
    hidden = () if every or names else (State.SUPERSEDED, State.RELEASED)
    for entry in found:
        if entry.state not in hidden:
            say(json_line(entry.as_dict()) if as_json else _line(entry))
    counts = Counter(entry.state for entry in found)
    others = [f", {counts[state]} {state}" for state in State if counts[state] and state != "held"]
    say(f"{counts[State.HELD]} held{''.join(others)}", err=True)


def _selection(
    names: list[str] | None,
    *,
    stage: list[str] | None,
    code: list[str] | None,
    topic: list[str] | None,
    since: str | None,
    until: str | None,
    transient: bool,
) -> Selection:
    known = {f"{s}/{c}" for s, codes in CODES.items() for c in codes}
    codes = {each.partition("/")[2] for each in known} | known
    for option, given, allowed in (("--stage", stage, CODES), ("--code", code, codes)):
        if unknown := sorted(set(given or ()) - set(allowed)):
            raise RuleError(
                option, f"no such stage or code: {unknown[0]}; docs/errors.md lists them"
            )
    return Selection(
        frozenset(names or ()),
        frozenset(stage or ()),
        frozenset(code or ()),
        frozenset(topic or ()),
        _milliseconds("--since", since),
        _milliseconds("--until", until),
        transient,
    )


def _milliseconds(option: str, text: str | None) -> int | None:
    """Return an ISO 8601 time as ms since the epoch; without a zone it is UTC."""
    if text is None:
        return None
    try:
        time = dt.datetime.fromisoformat(text)
    except ValueError:
        raise RuleError(option, "must be a time such as 2026-01-31 or 2026-01-31T08:00") from None
    return round((time if time.tzinfo else time.replace(tzinfo=dt.UTC)).timestamp() * 1000)


def _line(entry: Entry) -> str:
    """Return one line about an envelope; its clear part is untrusted and can contain line ends."""
    held = entry.held
    state = "" if entry.state is State.HELD else f"  {entry.state}"
    if held is None:
        return _one_line(f"{entry.name}{state}")
    time = dt.datetime.fromtimestamp(held.time_ms / 1000, dt.UTC).isoformat(timespec="seconds")
    payload = "" if held.payload else "  too large to seal: only at its source"
    reason = f"{held.stage}/{held.code}"
    source = f"{held.topic}/{held.partition}@{held.offset}"
    told = f"{reason:30}  attempt {held.attempts}  {held.format:5}  {source}"
    return _one_line(f"{entry.name}  {time}  {told}{payload}{state}")


def _one_line(text: str) -> str:
    return text.replace("\n", "\\n")


@app.command("show")
def show(
    config: Config,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name as in `quarantine list`.")],
    raw: Annotated[
        bool, typer.Option("--raw", help="Write the bytes as received, to a file or pipe only.")
    ] = False,
    reason: Reason = "",
) -> None:
    """Show the original of one held message, with control characters escaped; needs the key.

    Only for people who may see it. The access is recorded in the audit first.
    """
    if raw and sys.stdout.isatty():
        raise RuleError(
            "--raw", "needs a file or a pipe: a terminal would execute control sequences"
        )
    try:
        held, record = asyncio.run(operations.show(load_settings(config), name, reason))
    except SealError as error:
        raise RuleError(name, error.reason) from None
    say(_line(Entry(name, b"", held)), err=True)
    (write_raw if raw else write_visible)(record.value or b"")


@app.command("retry")
def retry(
    config: Config,
    names: Names = None,
    *,
    stage: Stage = None,
    code: Code = None,
    topic: Topic = None,
    since: Since = None,
    until: Until = None,
    transient: Transient = False,
    reason: Reason = "",
) -> None:
    """Process held messages again by the current rules, and release those that pass.

    Without names or options, all of them.
    """
    selection = _selection(
        names, stage=stage, code=code, topic=topic, since=since, until=until, transient=transient
    )
    counts: Counter[str] = Counter()

    def watch(_record: Record, processed: Processed) -> None:
        outcome = processed.outcome
        counts[f"{outcome.stage}/{outcome.code}" if isinstance(outcome, Hold) else RELEASED] += 1

    status = asyncio.run(
        operations.retry(load_settings(config), selection, reason=reason, watch=watch)
    )
    for became, count in sorted(counts.items()):
        say(f"{count:6} {became if became == RELEASED else f'held again: {became}'}")
    if not counts:
        say("no held message was selected", err=True)
    raise typer.Exit(status)


@app.command("discard")
def discard(
    config: Config,
    names: Names = None,
    *,
    reason: Annotated[
        str, typer.Option(help="Reason, kept in the audit; must not identify a patient.")
    ],
    stage: Stage = None,
    code: Code = None,
    topic: Topic = None,
    since: Since = None,
    until: Until = None,
    transient: Transient = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Settle held messages without release; each has an audit record with the reason."""
    selection = _selection(
        names, stage=stage, code=code, topic=topic, since=since, until=until, transient=transient
    )
    if selection == Selection():
        raise RuleError("quarantine discard", "needs names, or options that select messages")
    settings = load_settings(config)
    meant = asyncio.run(operations.listed(settings, selection))
    if not yes:
        typer.confirm(
            f"Permanently discard {len({e.name for e in meant})} held messages?", abort=True
        )
    gone = asyncio.run(operations.discard(settings, selection, reason, getpass.getuser()))
    say(f"{len(gone)} discarded", err=True)
