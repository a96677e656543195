"""``deid-adapter keys``: the secrets that surrogates and sealing are derived from."""

from __future__ import annotations

import base64
import datetime as dt
import os
import secrets
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from adapter.cli.terminal import say
from adapter.errors import RuleError
from adapter.sealing.keyring import (
    ACTIVE,
    DESTROYED,
    Entry,
    Ring,
    changing,
    new_entry,
    read_ring,
    write_ring,
)

app = typer.Typer(
    help="Make, rotate and destroy the secrets of surrogates and seals.", no_args_is_help=True
)
RingFile = Annotated[Path, typer.Argument(metavar="FILE", help="A key ring.")]
Domain = Annotated[str, typer.Option(help="The project whose keys they are.")]
BEGUN = ("surrogates", "quarantine", "state", "audit")
"""Purposes a new ring has a key of."""


@app.callback()
def keys() -> None:
    """Make, rotate and destroy the secrets of surrogates and seals."""


@app.command("new")
def new(
    out: Annotated[
        Path | None, typer.Option(help="File to write, readable by its owner only; else printed.")
    ] = None,
) -> None:
    """Make a secret of 32 random bytes, in base64; an existing file is never overwritten."""
    secret = base64.b64encode(secrets.token_bytes(32)).decode("ascii")
    if out is None:
        say(secret)
        return
    descriptor = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as stream:
        stream.write(secret + "\n")


@app.command("ring")
def ring(file: RingFile, domain: Domain = "default") -> None:
    """Begin a key ring with keys of surrogates, quarantine, state and audit; never overwrites."""
    with changing(file):
        if file.exists():
            raise RuleError(str(file), "is there already")
        begun = Ring()
        for purpose in BEGUN:
            begun = begun.add(new_entry(begun, purpose, domain, _today()))
        write_ring(file, begun)
    _print(begun)


@app.command("rotate")
def rotate(
    file: RingFile,
    purpose: Annotated[
        str,
        typer.Option(
            help="Of the new key: surrogates, quarantine, state, escrow, audit or review."
        ),
    ],
    domain: Domain = "default",
    private: Annotated[
        Path | None,
        typer.Option(help="Ring that gets the private part of an escrow key, begun if need be."),
    ] = None,
) -> None:
    """Make a new active key; the one before is retired: it still opens what it sealed.

    The private part of an escrow key goes to the ring of --private alone.
    """
    if (purpose == "escrow") != (private is not None):
        raise RuleError("--private", "goes with --purpose escrow, and only with it")
    with changing(file):
        before = read_ring(file)
        if private is None:
            entry = new_entry(before, purpose, domain, _today())
        else:
            entry = _pair(private, file, domain)
        after = before.add(entry)
        write_ring(file, after)
    _print(after)


def _pair(private: Path, file: Path, domain: str) -> Entry:
    """The public part of a new escrow key; the whole goes to the ring of who may open."""
    if private.absolute() == file.absolute():
        raise RuleError("--private", "must be another file: the adapter needs the public part only")
    theirs = read_ring(private) if private.exists() else Ring()
    taken = Ring((*read_ring(file).entries, *theirs.entries))
    whole = new_entry(taken, "escrow", domain, _today())
    write_ring(private, theirs.add(whole))
    return replace(whole, secret=None)


@app.command("show")
def show(file: RingFile) -> None:
    """List the keys: id, purpose, domain, state, date, fingerprint; never a secret."""
    _print(read_ring(file))


@app.command("public")
def public(
    file: RingFile,
    out: Annotated[Path, typer.Option(help="Ring to write; it has no secret.")],
) -> None:
    """Write the public parts of the audit keys: `audit verify` needs no more, and cannot sign."""
    theirs = read_ring(file).public("audit")
    if not theirs.entries:
        raise RuleError(str(file), "has no audit key; see `keys rotate --purpose audit`")
    with changing(out):
        if out.exists():
            raise RuleError(str(out), "is there already")
        write_ring(out, theirs)
    _print(theirs)


@app.command("destroy")
def destroy(
    file: RingFile,
    key_id: Annotated[str, typer.Argument(metavar="ID", help="As `keys show` lists it.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Even the active key.")] = False,
) -> None:
    """Destroy a key for good: nobody can open again what it sealed.

    Its id stays listed. Copies of the ring, backups above all, must be destroyed too.
    """
    with changing(file):
        before = read_ring(file)
        entry = before.find(key_id)
        if entry is None or entry.state == DESTROYED:
            raise RuleError(key_id, "no such key" if entry is None else "was destroyed before")
        if entry.state == ACTIVE and not force:
            raise RuleError(key_id, "is active; rotate first, or say --force")
        if not yes:
            typer.confirm(f"Destroy {key_id}? What it sealed can never be opened again", abort=True)
        after = before.destroy(key_id)
        write_ring(file, after)
    _print(after)


def _print(ring: Ring) -> None:
    rows = [
        (e.id, e.purpose, e.domain, e.state, e.created, e.fingerprint or "-") for e in ring.entries
    ]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        say("  ".join(cells).rstrip())


def _today() -> str:
    return dt.datetime.now(dt.UTC).date().isoformat()
