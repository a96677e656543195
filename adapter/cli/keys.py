"""``deid-adapter keys``: manages the secrets of surrogates and seals."""

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
    real,
    write_ring,
)

app = typer.Typer(
    help="Make, rotate and destroy the secrets of surrogates and seals.", no_args_is_help=True
)
RingFile = Annotated[Path, typer.Argument(metavar="FILE", help="A key ring.")]
Domain = Annotated[str, typer.Option(help="Project (key domain).")]
BEGUN = ("surrogates", "quarantine", "state", "audit")
"""Purposes for which a new ring gets a key."""


@app.callback()
def keys() -> None:
    """Make, rotate and destroy the secrets of surrogates and seals."""


@app.command("new")
def new(
    out: Annotated[
        Path | None, typer.Option(help="File to write, readable by its owner only; default: print.")
    ] = None,
) -> None:
    """Make a secret of 32 random bytes, in base64; never overwrites a file."""
    secret = base64.b64encode(secrets.token_bytes(32)).decode("ascii")
    if out is None:
        say(secret)
        return
    descriptor = os.open(out, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as stream:
        stream.write(secret + "\n")


@app.command("ring")
def ring(file: RingFile, domain: Domain = "default") -> None:
    """Create a key ring with keys for surrogates, quarantine, state and audit; never overwrites."""
    with changing(file):
        if file.exists():
            raise RuleError(str(file), "already exists")
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
        typer.Option(help="surrogates, quarantine, state, escrow, audit or review."),
    ],
    domain: Domain = "default",
    private: Annotated[
        Path | None,
        typer.Option(help="Key ring for the private part of an escrow key; created if missing."),
    ] = None,
) -> None:
    """Make a new active key; the previous one is retired and still opens what it sealed.

    The private part of an escrow key is written to the ring of --private only.
    """
    if (purpose == "escrow") != (private is not None):
        raise RuleError(
            "--private", "is required with --purpose escrow, and not allowed without it"
        )
    with changing(*filter(None, (file, private))):
        before = _whole(file)
        if domain not in {entry.domain for entry in before.entries}:
            say(f"note: {domain} is a new domain of this ring", err=True)
        if private is None:
            entry = new_entry(before, purpose, domain, _today())
        else:
            entry = _pair(private, file, domain)
        after = before.add(entry)
        write_ring(file, after)
    _print(after)


def _whole(file: Path) -> Ring:
    """Return a ring that is to be changed.

    Raises:
        RuleError: it has public parts alone, as `keys public` writes them.
    """
    ring = read_ring(file)
    live = [entry for entry in ring.entries if entry.state != DESTROYED]
    if live and all(entry.secret is None for entry in live):
        raise RuleError(str(file), "has public parts only; change the ring that they come from")
    return ring


def _pair(private: Path, file: Path, domain: str) -> Entry:
    """Return the public part of a new escrow key; write the whole key to the private ring."""
    if real(private) == real(file):
        raise RuleError(
            "--private",
            "must be a file other than the ring: the adapter needs the public part only",
        )
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
    out: Annotated[Path, typer.Option(help="Key ring to write, without secrets.")],
) -> None:
    """Write the public parts of the audit keys, which `audit verify` needs; they cannot sign."""
    theirs = read_ring(file).public("audit")
    if not theirs.entries:
        raise RuleError(str(file), "has no audit key; make one with `keys rotate --purpose audit`")
    with changing(out):
        if out.exists():
            raise RuleError(str(out), "already exists")
        write_ring(out, theirs)
    _print(theirs)


@app.command("destroy")
def destroy(
    file: RingFile,
    key_id: Annotated[str, typer.Argument(metavar="ID", help="Id as in `keys show`.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Destroy even the active key.")] = False,
) -> None:
    """Destroy a key permanently: what it sealed can never be opened again.

    Its id stays listed. Destroy copies of the ring too, especially backups.
    """
    with changing(file):
        before = _whole(file)
        entry = before.find(key_id)
        if entry is None or entry.state == DESTROYED:
            raise RuleError(key_id, "no such key" if entry is None else "is already destroyed")
        if entry.state == ACTIVE and not force:
            raise RuleError(key_id, "is active; rotate first, or pass --force")
        if not yes:
            typer.confirm(
                f"Destroy {key_id}? Nothing sealed with it can ever be opened again", abort=True
            )
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
