"""``deid-adapter reidentify``: restores originals with the escrow key."""

from __future__ import annotations

import asyncio
import csv
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from adapter.cli.setup import ConfigOption
from adapter.cli.terminal import counted, say
from adapter.config.settings import Settings, load_settings
from adapter.errors import RuleError
from adapter.rules.formats import codecs_of
from adapter.runtime import reidentify as way
from adapter.runtime.service import split_by
from adapter.sealing.box import SealError
from adapter.sealing.escrow import Deposit, Opener
from adapter.transports.files.names import discover, target

IDS = "ids.csv"
"""Name of the table of numbers in the output folder."""
SHOWN = 50
"""Most unreadable records of the escrow that are named one by one."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request: the escrow records, their opener, the output folder, and the record of the use."""

    escrow: str = field(repr=False)
    opens: Opener
    settings: Settings
    out: Path
    notes: way.Notes

    def matching(
        self, keys_of: Callable[[Deposit], Iterable[str]], wanted: set[str]
    ) -> dict[str, list[bytes]]:
        """Return wanted key -> escrow records; say which records of the escrow are unreadable."""
        deposits = way.deposits(self.escrow, self.settings)
        found, unreadable = asyncio.run(way.matching(deposits, keys_of, wanted))
        for place in unreadable[:SHOWN]:
            say(f"{place}: cannot be read: it is not an escrow record", err=True)
        if len(unreadable) > SHOWN:
            say(f"and {len(unreadable) - SHOWN} more", err=True)
        return found


def reidentify(
    inputs: Annotated[
        list[str], typer.Argument(metavar="INPUT...", help="Sanitized files or folders.")
    ],
    *,
    escrow: Annotated[
        str, typer.Option(help="File or folder of escrow records, or kafka (with --config).")
    ],
    key: Annotated[Path, typer.Option(help="Key ring with the private part of the escrow key.")],
    reason: Annotated[
        str, typer.Option(help="Reason, kept in the audit; must not identify a patient.")
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", help="Folder to write to; nothing is overwritten.")
    ],
    ids: Annotated[
        bool, typer.Option("--ids", help="INPUT lists surrogate numbers, one per line.")
    ] = False,
    audit: Annotated[
        Path | None, typer.Option(help="File that records each use; default: beside the ring.")
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Write the originals of sanitized messages, byte for byte, or those of surrogate numbers.

    Every use is recorded before anything is opened, with --escrow kafka in the audit topic too.
    Inputs that are not found are listed by file and index, with exit status 1.
    """
    opens = way.opener(key)
    settings = load_settings(config)
    if escrow != way.KAFKA and not Path(escrow).exists():
        raise RuleError("--escrow", f"no such file or folder: {escrow}")
    if escrow == way.KAFKA and config is None:
        raise RuleError("--escrow", "kafka needs --config")
    log = audit or key.with_name(f"{key.name}.audit.jsonl")
    service = settings if escrow == way.KAFKA else None
    notes = way.Notes(log, reason, way.signer_in(key), service)
    request = Request(escrow, opens, settings, out, notes)
    missing = (_ids if ids else _messages)(inputs, request)
    for line in missing:
        say(f"unknown {line}", err=True)
    raise typer.Exit(1 if missing else 0)


def _messages(inputs: list[str], request: Request) -> list[str]:
    sources, skipped = discover(inputs, str(request.out), outputs=True)
    for each in skipped:
        say(f"skipped {each.name}: {each.reason}", err=True)
    files = list(way.sanitized(sources, split_by(codecs_of(request.settings))))
    for file in files:
        if (request.out / file.name).exists():
            raise RuleError("--out", "already has a file with the name of an input")
    wanted = {p.sha256 for file in files for p in file.pieces} | {file.whole for file in files}
    found = request.matching(lambda deposit: (deposit.sha256,), wanted)
    asked = sum(len(file.found(found)) for file in files)
    asyncio.run(request.notes.take("messages", asked, tuple(found)))
    missing: list[str] = []
    for file in files:
        raw, lacking = way.restored(request.opens, file, found)
        if raw:
            _write(target(request.out, file.name), raw)
        missing += [f"{file.name}#{index}: {why}" for index, why in lacking]
    say(f"{asked - len(missing)} of {counted(asked, 'message')}", err=True)
    return missing


def _ids(inputs: list[str], request: Request) -> list[str]:
    if (request.out / IDS).exists():
        raise RuleError("--out", f"already has a file {IDS}")
    lines = [
        (f"{name}#{number}", line.strip())
        for name in inputs
        for number, line in enumerate(Path(name).read_text("utf-8", "replace").splitlines())
        if line.strip()
    ]
    marks = {line: request.opens.marks(line) for _, line in lines}
    wanted = set().union(*marks.values())
    found = request.matching(lambda deposit: deposit.marks, wanted)
    asyncio.run(request.notes.take("ids", len(lines), tuple(found)))
    rows: list[tuple[str, str]] = []
    missing: list[str] = []
    for place, line in lines:
        try:
            known = [e for name in marks[line] for e in found.get(name, ())]
            rows += [(line, value) for value in way.originals_of(request.opens, line, known)]
        except SealError as error:
            missing.append(f"{place}: {error.reason}")
    _table(target(request.out, IDS), rows)
    say(f"{len(lines) - len(missing)} of {counted(len(lines), 'number')}", err=True)
    return missing


def _write(path: Path, raw: bytes) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as stream:
        stream.write(raw)


def _table(path: Path, rows: list[tuple[str, str]]) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("surrogate", "original"))
        writer.writerows(rows)
