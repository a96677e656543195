"""``deid-adapter review report`` and ``verify``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from adapter.cli.audit import heads_of
from adapter.cli.review.setup import Config, store_of
from adapter.cli.terminal import json_line, say
from adapter.config.settings import load_settings
from adapter.review.reporting import Report
from adapter.review.reporting import report as reported
from adapter.review.store import events
from adapter.sealing.key_lookup import audit_publics


def report(
    config: Config,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print all figures as JSON.")] = False,
) -> None:
    """Print recall with its interval, what both readers missed, and their agreement."""
    with store_of(load_settings(config)) as store:
        made = reported(store)
    if as_json:
        say(json_line(made.as_dict()))
        return
    for line in _lines(made):
        say(line)


def _lines(made: Report) -> list[str]:
    if made.estimate is None:
        return [f"no sample has been read yet; {made.waiting} messages are waiting"]
    recall, clean = made.estimate.recall, made.estimate.clean
    lines = [
        f"recall {recall.value:.4f} ({recall.low:.4f} to {recall.high:.4f})",
        f"messages without a leak {clean.value:.4f} ({clean.low:.4f} to {clean.high:.4f})",
        f"{made.estimate.found} of {made.estimate.mentions} mentions found",
        f"{made.estimate.messages} messages read, {made.waiting} waiting",
    ]
    if made.disagreements:
        lines.append(f"too high until {made.disagreements} disagreements are settled")
    if made.missed is not None:
        lines.append(f"missed by both readers: {made.missed.missed:.1f} (Chapman)")
    lines += [
        f"{one} and {other}: kappa {row.kappa:.4f}, F1 {row.f1:.4f}, {row.messages} messages"
        for (one, other), row in made.agreement.items()
    ]
    return lines


def verify(
    config: Config,
    expect: Annotated[
        Path | None, typer.Option(help="File of the chain head that this command printed earlier.")
    ] = None,
) -> None:
    """Find events that were changed, removed or moved, with exit status 1; print the head."""
    settings = load_settings(config)
    with store_of(settings) as store:
        heads = heads_of(expect) if expect else {}
        number, problems, chains = events.verify(store.database, audit_publics(settings), heads)
    for chain in chains:
        say(f"{chain.name} {chain.head.number} {chain.head.sha256}")
    for problem in problems:
        say(str(problem), err=True)
    found = f"{len(problems)} problems" if problems else "nothing wrong"
    say(f"{number} events: {found}", err=True)
    raise typer.Exit(1 if problems else 0)
