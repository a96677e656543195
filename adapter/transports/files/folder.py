"""A quarantine folder as a transport: its envelopes are the records of one lane, read once.

A released record is written to the output folder under its original's name; if that file exists
(with the other messages of its file), under that name with the message's index appended.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.sealing.quarantine import Folder, file_name, read_clear
from adapter.transports.files.audit import AuditFile
from adapter.transports.files.escrow import EscrowFile
from adapter.transports.files.manifest import Manifest, Section
from adapter.transports.files.names import target
from adapter.transports.files.unfinished import remove_abandoned, replacing
from adapter.transports.protocol import Channel
from adapter.types import Position, Record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path


class FolderTransport:
    """A transport over all envelopes in the folder, or over those with the given names."""

    one_feed = True
    lasting_positions = False

    def __init__(
        self,
        folder: Folder,
        output: Path,
        batch_records: int,
        names: Sequence[str] = (),
        *,
        escrow: Path | None = None,
        audit: AuditFile | None = None,
    ) -> None:
        self.escrow = EscrowFile(escrow)
        self.audit = audit or AuditFile(None)
        self.folder = folder
        self.output = output
        self.batch_records = batch_records
        self.names = tuple(names) or tuple(folder.names())
        self.manifest = Manifest(output)
        self.draining = False

    async def start(self) -> None:
        """Create the output folder, remove what killed runs left there, and open the files."""
        self.output.mkdir(parents=True, exist_ok=True)
        remove_abandoned(self.output)
        self.manifest.open()
        self.escrow.open()
        self.audit.open()

    async def lanes(self) -> AsyncIterator[FolderLane]:
        """Yield the one lane."""
        yield FolderLane(self)

    def drain(self) -> None:
        """Stop taking envelopes."""
        self.draining = True

    async def stop(self) -> None:
        """Write the manifest, and close the escrow and audit files."""
        try:
            self.manifest.write()
        finally:
            self.escrow.close()
            self.audit.close()

    def public(self, topic: str) -> str:
        """Return the topic unchanged: it is the public name under which a record was held."""
        return topic

    def lag(self) -> dict[str, int]:
        """Return the number of envelopes in the folder."""
        return {"quarantine": len(self.names)}

    def lacking(self) -> tuple[str, ...]:
        """Return nothing: a folder needs no other service."""
        return ()


@dataclass(slots=True)
class FolderLane:
    """The lane of all envelopes, in name order."""

    transport: FolderTransport
    settled: int = 0

    @property
    def name(self) -> str:
        """The lane's name."""
        return "quarantine"

    async def state(self) -> AsyncIterator[Record]:
        """Yield nothing: a quarantine folder has no patient memory."""
        nothing: tuple[Record, ...] = ()
        for record in nothing:
            yield record

    async def batches(self) -> AsyncIterator[Sequence[Record]]:
        """Yield batches of envelopes."""
        names, step = self.transport.names, self.transport.batch_records
        for start in range(0, len(names), step):
            if self.transport.draining:
                return
            yield [
                Record(self.transport.folder.read(name), Position("quarantine", 0, start + index))
                for index, name in enumerate(names[start : start + step])
            ]

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[FolderTransaction]:
        """Open a transaction, committed if the block raises nothing."""
        transaction = FolderTransaction(self)
        yield transaction
        transaction.commit()

    async def rewind(self) -> bool:
        """Return False: a folder cannot rewind."""
        return False

    async def close(self) -> None:
        """Do nothing."""


@dataclass(slots=True)
class FolderTransaction:
    """The writes of a batch; released records are written first, so that a crash loses none."""

    lane: FolderLane
    released: list[Record] = field(default_factory=list, repr=False)
    held: list[bytes] = field(default_factory=list, repr=False)
    audit: list[bytes] = field(default_factory=list, repr=False)
    escrow: list[bytes] = field(default_factory=list, repr=False)
    upto: int = -1

    async def send(self, channel: Channel, record: Record) -> None:
        """Add a record to the transaction."""
        value = record.value or b""
        match channel:
            case Channel.RELEASED:
                self.released.append(record)
            case Channel.HELD:
                self.held.append(value)
            case Channel.AUDIT:
                self.audit.append(value)
            case Channel.ESCROW:
                self.escrow.append(value)

    async def advance(self, position: Position) -> None:
        """Set the position up to which records are settled."""
        self.upto = position.offset

    def commit(self) -> None:
        """Write all records; remove envelopes that were neither carried over nor written again."""
        transport = self.lane.transport
        names = transport.names[self.lane.settled : self.upto + 1]
        lying = {name: transport.folder.read(name) for name in names}
        carried = set(lying.values()).intersection(self.held)
        transport.escrow.write(self.escrow)
        transport.audit.write(self.audit)
        for record in self.released:
            name = _write(transport.output, record)
            section = Section(name)
            section.released((record.value or b"",), record.headers)
            transport.manifest.add(section)
        again = [envelope for envelope in self.held if envelope not in carried]
        for envelope in again:
            transport.folder.write(envelope)
        written = {file_name(read_clear(envelope)) for envelope in again}
        for name, envelope in lying.items():
            if name not in written and envelope not in carried:
                transport.folder.remove(name)
        self.lane.settled = self.upto + 1


def _write(output: Path, record: Record) -> str:
    """Write a record; return its path relative to the output folder."""
    path = target(output, record.position.topic)
    if path.exists():
        path = path.with_name(f"{path.name}.{record.position.offset}")
    with replacing(path) as stream:
        stream.write(record.value or b"")
    return path.relative_to(output).as_posix()
