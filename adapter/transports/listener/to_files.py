"""A folder as the outlet of a listener; files are renamed into place when they are complete.

Escrow, envelopes, state and audit of a batch are on the disk before its released messages. So after
a kill or a power failure, every answered message is released or held, and records of an unanswered
message belong to one that its sender still has. Listeners of other names may write to the same
folder.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from adapter.sealing.quarantine import Folder, file_name, read_clear
from adapter.telemetry.error_names import concerning
from adapter.transports.files.audit import AuditFile
from adapter.transports.files.disk import sync
from adapter.transports.files.escrow import EscrowFile
from adapter.transports.files.failures import disk_failures
from adapter.transports.files.manifest import Manifest, Section
from adapter.transports.files.state import StateFile
from adapter.transports.files.unfinished import remove_abandoned
from adapter.transports.protocol import Channel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from adapter.config.files import Files
    from adapter.sealing.chain import Signer
    from adapter.types import Position, Record


@dataclass(frozen=True, slots=True)
class OutputFile:
    """A file to write: the suffix of its name, and its messages, each as the pieces to write."""

    suffix: str
    messages: Sequence[tuple[Sequence[bytes], Record]] = field(repr=False)

    def name(self, listener: str, batch: int) -> str:
        """Return the file name: the listener's name, and the offset of the first message.

        ``batch`` is used in place of that offset if the file has no messages.
        """
        first = self.messages[0][1].position.offset if self.messages else batch
        return f"{listener}-{first}{self.suffix}"


Layout = Callable[["Sequence[Record]"], "Sequence[OutputFile]"]
"""Arranges a batch's released messages in files; at least one, even without messages."""


class FilesOutlet:
    """Writes a folder of released messages, and the files beside it."""

    def __init__(
        self,
        files: Files,
        quarantine: Path,
        name: str,
        layout: Layout,
        signer: Signer | None = None,
    ) -> None:
        self.layout = layout
        self.output = Path(files.output)
        self.name = name
        self.quarantine = Folder(quarantine)
        self.escrow = EscrowFile(files.escrow)
        self.manifest = Manifest(self.output)
        self.remembered = StateFile(files.state) if files.state else None
        self.audit = AuditFile(files.audit, signer)
        self._opened = False

    async def open(self) -> None:
        """Create the folders, and remove unfinished files.

        Raises:
            RuleError: the folder has a manifest that the adapter did not write.
            TransportError: a folder or file cannot be opened now.
        """
        if not self._opened:
            with disk_failures():
                await asyncio.to_thread(self._open)
            self._opened = True

    def _open(self) -> None:
        with concerning("files.quarantine"):
            self.quarantine.path.mkdir(parents=True, exist_ok=True)
        with concerning("files.output"):
            self._open_output()
        with concerning("files.escrow"):
            self.escrow.open()
        with concerning("files.audit"):
            self.audit.open()

    def _open_output(self) -> None:
        self.output.mkdir(parents=True, exist_ok=True)
        own = re.compile(rf"\.{re.escape(self.name)}-\d+(?:\.[a-z0-9]+)?\.part")
        for left in self.output.iterdir():
            if own.fullmatch(left.name):
                left.unlink()
        remove_abandoned(self.output)
        self.manifest.mend()

    async def state(self) -> AsyncIterator[Record]:
        """Yield the entries that earlier runs left in the state file.

        Raises:
            TransportError: the file cannot be read now.
        """
        if self.remembered is not None:
            with disk_failures(), concerning("files.state"):
                for record in self.remembered.records():
                    yield record

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[FilesTransaction]:
        """Open a transaction, written if the block raises nothing.

        Raises:
            TransportError: the batch cannot be written now, such as to a full disk.
        """
        transaction = FilesTransaction()
        yield transaction
        with disk_failures():
            await asyncio.to_thread(self.write, transaction)

    def write(self, batch: FilesTransaction) -> None:
        """Write a batch to the disk; its released messages last."""
        with concerning("files.escrow"):
            self.escrow.write(batch.records[Channel.ESCROW])
        with concerning("files.quarantine"):
            self._hold(batch.records[Channel.HELD])
        if self.remembered is not None:
            with concerning("files.state"):
                self.remembered.write(batch.state)
        with concerning("files.audit"):
            self.audit.write(batch.records[Channel.AUDIT])
        with concerning("files.output"):
            self._release(batch)

    def _hold(self, envelopes: list[bytes]) -> None:
        for envelope in envelopes:
            self.quarantine.write(envelope)
            sync(self.quarantine.path / file_name(read_clear(envelope)))
        if envelopes:
            sync(self.quarantine.path)

    def _release(self, batch: FilesTransaction) -> None:
        held = len(batch.records[Channel.HELD])
        for file in self.layout(batch.released):
            section = Section(file.name(self.name, batch.first))
            section.held(held)
            held = 0
            if file.messages:
                self._put(section.file, file)
            for pieces, record in file.messages:
                section.released(pieces, record.headers)
            self.manifest.append(section)

    def _put(self, name: str, file: OutputFile) -> None:
        part = self.output / f".{name}.part"
        with part.open("wb") as stream:
            for pieces, _ in file.messages:
                stream.writelines(pieces)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(self.output / name)
        sync(self.output)

    async def close(self) -> None:
        """Complete the manifest, and close the files."""
        try:
            if self._opened:
                await asyncio.to_thread(self.manifest.complete)
        finally:
            self.escrow.close()
            self.audit.close()
            if self.remembered is not None:
                self.remembered.close()


@dataclass(slots=True)
class FilesTransaction:
    """The records of a batch, kept until its end and then written."""

    released: list[Record] = field(default_factory=list, repr=False)
    state: list[Record] = field(default_factory=list, repr=False)
    records: dict[Channel, list[bytes]] = field(
        default_factory=lambda: {c: [] for c in (Channel.HELD, Channel.AUDIT, Channel.ESCROW)},
        repr=False,
    )
    first: int = 0

    async def send(self, channel: Channel, record: Record) -> None:
        """Add a record to the transaction."""
        self.first = self.first or record.position.offset
        match channel:
            case Channel.RELEASED:
                self.released.append(record)
            case Channel.STATE:
                self.state.append(record)
            case _:
                self.records[channel].append(record.value or b"")

    async def advance(self, position: Position) -> None:
        """Do nothing: a listener's progress is the messages that it has answered."""
