"""A quarantine folder as a transport: its envelopes are the records, one lane, one pass.

A released record goes to its original's name under the output folder, or, where a file of that
name lies already (its other messages), to that name with the message's index behind it.
"""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.sealing.quarantine import Folder, file_name, read_clear
from adapter.transports.files.escrow import EscrowFile
from adapter.transports.files.manifest import Manifest, Section
from adapter.transports.files.names import target
from adapter.transports.protocol import Channel
from adapter.types import Position, Record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path


class FolderTransport:
    """The envelopes that lie in the folder now, or those of the given names."""

    one_feed = True
    lasting_positions = False

    def __init__(
        self,
        folder: Folder,
        output: Path,
        batch_records: int,
        names: Sequence[str] = (),
        escrow: Path | None = None,
    ) -> None:
        self.escrow = EscrowFile(escrow)
        self.folder = folder
        self.output = output
        self.batch_records = batch_records
        self.names = tuple(names) or tuple(folder.names())
        self.manifest = Manifest(output)
        self.draining = False

    async def start(self) -> None:
        """Make the output folder."""
        self.output.mkdir(parents=True, exist_ok=True)
        self.manifest.open()
        self.escrow.open()

    async def lanes(self) -> AsyncIterator[FolderLane]:
        """The one lane."""
        yield FolderLane(self)

    def drain(self) -> None:
        """Take no further envelope."""
        self.draining = True

    async def stop(self) -> None:
        """Write the manifest, and close the file of the escrow."""
        try:
            self.manifest.write()
        finally:
            self.escrow.close()

    def public(self, topic: str) -> str:
        """Never asked for a file's true name: the one it was held under is known."""
        return topic

    def lag(self) -> dict[str, int]:
        """Envelopes in the folder."""
        return {"quarantine": len(self.names)}


@dataclass(slots=True)
class FolderLane:
    """The envelopes in name order."""

    transport: FolderTransport
    settled: int = 0

    @property
    def name(self) -> str:
        """The lane's name."""
        return "quarantine"

    async def state(self) -> AsyncIterator[Record]:
        """What is known of patients lies elsewhere."""
        nothing: tuple[Record, ...] = ()
        for record in nothing:
            yield record

    async def batches(self) -> AsyncIterator[Sequence[Record]]:
        """Batches of envelopes."""
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
        """Written when the block ends well."""
        transaction = FolderTransaction(self)
        yield transaction
        transaction.commit()

    async def rewind(self) -> bool:
        """A folder that cannot be written is given up."""
        return False

    async def close(self) -> None:
        """Nothing to give up."""


@dataclass(slots=True)
class FolderTransaction:
    """What a batch writes; released records first, so that a crash loses none."""

    lane: FolderLane
    released: list[Record] = field(default_factory=list, repr=False)
    held: list[bytes] = field(default_factory=list, repr=False)
    escrow: list[bytes] = field(default_factory=list, repr=False)
    upto: int = -1

    async def send(self, channel: Channel, record: Record) -> None:
        """Keep a record for the commit; audit records have no place in a folder."""
        if channel is Channel.RELEASED:
            self.released.append(record)
        elif channel is Channel.HELD:
            self.held.append(record.value or b"")
        elif channel is Channel.ESCROW:
            self.escrow.append(record.value or b"")

    async def advance(self, position: Position) -> None:
        """Keep the progress."""
        self.upto = position.offset

    def commit(self) -> None:
        """Write it all; envelopes that were not written anew are gone."""
        transport = self.lane.transport
        transport.escrow.write(self.escrow)
        for record in self.released:
            name = _write(transport.output, record)
            section = Section(name)
            section.released((record.value or b"",), record.headers)
            transport.manifest.add(section)
        for envelope in self.held:
            transport.folder.write(envelope)
        again = {file_name(read_clear(envelope)) for envelope in self.held}
        for name in transport.names[self.lane.settled : self.upto + 1]:
            if name not in again:
                transport.folder.remove(name)
        self.lane.settled = self.upto + 1


def _write(output: Path, record: Record) -> str:
    """Write a record, and return its name below the output folder."""
    path = target(output, record.position.topic)
    if path.exists():
        path = path.with_name(f"{path.name}.{record.position.offset}")
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(record.value or b"")
    part.replace(path)
    return path.relative_to(output).as_posix()
