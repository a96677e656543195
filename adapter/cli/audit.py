"""``deid-adapter audit``: checks whether audit records have been changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from adapter.cli.setup import ConfigOption
from adapter.cli.terminal import counted, say
from adapter.config.settings import load_settings
from adapter.errors import RuleError
from adapter.sealing.chain import Head
from adapter.sealing.key_lookup import audit_publics
from adapter.sealing.keyring import read_public
from adapter.sealing.verification import ChainReport, Place, Verifier
from adapter.transports.files.audit import read_lines
from adapter.transports.registry import backend

app = typer.Typer(help="Check the audit records.", no_args_is_help=True)
SHOWN = 50
"""Maximum number of problems to print one by one."""


@app.callback()
def audit() -> None:
    """Check the audit records."""


@app.command("verify")
def verify(
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE...]", help="Audit files; default: the file or topic of the settings."
        ),
    ] = None,
    *,
    config: ConfigOption = None,
    key: Annotated[
        Path | None,
        typer.Option(help="Key ring with the public parts of audit keys; default: the settings'."),
    ] = None,
    expect: Annotated[
        Path | None, typer.Option(help="File of chain heads that this command printed earlier.")
    ] = None,
    pruned: Annotated[
        bool, typer.Option("--pruned", help="Accept that retention has deleted the oldest records.")
    ] = False,
) -> None:
    """Find audit records that were changed, removed, repeated or moved; print the chains' heads.

    Exit status 1 if there is any problem. The removal of the last records of a chain, or of a whole
    chain, is only detected with heads kept elsewhere: give them with --expect.
    """
    if not files and config is None:
        raise RuleError("audit verify", "needs audit files or --config")
    settings = load_settings(config)
    publics = read_public(key, "audit") if key else audit_publics(settings)
    if not publics:
        raise RuleError(
            "--key", "is required unless the settings give the public part of an audit key"
        )
    verifier = Verifier(publics, heads_of(expect) if expect else {}, pruned)
    records = _lines(files) if files else backend(settings).recorded(settings)
    chains = asyncio.run(_verified(verifier, records))
    for chain in chains:
        say(f"{chain.name} {chain.head.number} {chain.head.sha256}")
    raise typer.Exit(_told(verifier, chains))


async def _lines(files: Sequence[Path]) -> AsyncIterator[tuple[Place, bytes]]:
    for file in files:
        for place, line in read_lines(file):
            yield place, line


async def _verified(
    verifier: Verifier, records: AsyncIterator[tuple[Place, bytes]]
) -> Sequence[ChainReport]:
    async for place, record in records:
        verifier.add(place, record)
    return verifier.finish()


def heads_of(file: Path) -> Mapping[str, Head]:
    """Return chain -> head from a file that `verify` printed.

    Raises:
        RuleError: a line is not a head, or there is none.
    """
    heads: dict[str, Head] = {}
    for number, line in enumerate(file.read_text("utf-8", "replace").splitlines(), start=1):
        cells = line.split()
        if len(cells) != len(("chain", "number", "sha256")) or not cells[1].isdecimal():
            raise RuleError(f"{file}:{number}", "is not a chain head (chain name, number, SHA-256)")
        heads[cells[0]] = Head(int(cells[1]), cells[2])
    if not heads:
        raise RuleError(str(file), "has no chain head")
    return heads


def _told(verifier: Verifier, chains: Sequence[ChainReport]) -> int:
    """Print the result, and return the exit status."""
    for problem in verifier.problems[:SHOWN]:
        say(str(problem), err=True)
    if len(verifier.problems) > SHOWN:
        say(f"and {len(verifier.problems) - SHOWN} more", err=True)
    if verifier.before_chains:
        were = "was" if verifier.before_chains == 1 else "were"
        before = counted(verifier.before_chains, "record")
        say(f"{before} {were} written before a chain began", err=True)
    found = "nothing wrong" if chains else "no chain, so nothing is known"
    if verifier.problems:
        found = counted(len(verifier.problems), "problem")
    checked = f"{counted(verifier.records, 'record')}, {counted(len(chains), 'chain')}"
    say(f"{checked}: {found}", err=True)
    return 1 if verifier.problems or not chains else 0
