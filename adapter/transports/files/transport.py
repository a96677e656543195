"""The file transport: every message of a file is a record; a released message keeps its framing.

A file is a lane. Its output is written to a temporary name, and renamed when all of its messages
are settled; a file that was not finished leaves no output, and one without released messages also
removes the output of an earlier run.
Messages are identified by file (its relative name) and index; logs have only the file's number.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from adapter.audit import Event, log
from adapter.codecs.protocol import Frame
from adapter.errors import RuleError
from adapter.normalize.printable import visible_bytes
from adapter.sealing.quarantine import Folder
from adapter.telemetry.error_names import concerning
from adapter.transports.files.audit import AuditFile
from adapter.transports.files.blocks import blocks
from adapter.transports.files.escrow import EscrowFile
from adapter.transports.files.manifest import Manifest, Section
from adapter.transports.files.names import Source, discover, target
from adapter.transports.files.state import StateFile
from adapter.transports.files.unfinished import Unfinished, remove_abandoned
from adapter.transports.protocol import Channel
from adapter.types import Position, Record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from adapter.config.files import Files
    from adapter.config.settings import Workers
    from adapter.sealing.chain import Signer

    Pieces = tuple[bytes, ...]
    Headers = tuple[tuple[str, bytes], ...]
    from adapter.transports.backend import Split


class FilesTransport:
    """Reads files, folders or standard input, and writes a folder or standard output.

    ``split`` splits a block of whole messages.
    """

    one_feed = True
    lasting_positions = False

    def __init__(
        self, files: Files, workers: Workers, split: Split, signer: Signer | None = None
    ) -> None:
        if not files.inputs:
            raise RuleError("files.inputs", "is empty; name a file or folder, or - for stdin")
        self.split = split
        self.output = None if files.output == "-" else Path(files.output)
        self.manifest = Manifest(self.output) if self.output else None
        self.batch_records = workers.batch_records
        self.batch_bytes = workers.batch_bytes
        self.quarantine = Folder(files.quarantine) if files.quarantine else None
        self.draining = False
        self.remembered = StateFile(files.state) if files.state else None
        self.audit = AuditFile(files.audit, signer)
        self.escrow = EscrowFile(files.escrow)
        self._room = asyncio.Semaphore(2 * (workers.processes or os.cpu_count() or 1) + 2)
        self.sources, self.skipped = discover(files.inputs, files.output)
        self.unfinished = {source.name for source in self.sources}
        self._numbers = {s.name: number for number, s in enumerate(self.sources, start=1)}
        if self.output is None:  # one output stream: one file at a time
            self._room = asyncio.Semaphore(1)

    async def start(self) -> None:
        """Create the output folder, remove what killed runs left there, and open the files."""
        for why, count in sorted(Counter(each.why for each in self.skipped).items()):
            log(Event.INPUTS_SKIPPED, reason=why, files=count)
        with concerning("files.output"):
            if self.output is not None:
                self.output.mkdir(parents=True, exist_ok=True)
                remove_abandoned(self.output)
            if self.manifest is not None:
                self.manifest.open()
        with concerning("files.audit"):
            self.audit.open()
        with concerning("files.escrow"):
            self.escrow.open()

    async def lanes(self) -> AsyncIterator[FileLane]:
        """Yield a lane for each file, a few at a time."""
        for source in self.sources:
            await self._room.acquire()
            if self.draining:
                return
            yield FileLane(self, source)

    def drain(self) -> None:
        """Start no further file and no further batch."""
        self.draining = True

    async def stop(self) -> None:
        """Write the manifest, and close all files."""
        try:
            if self.manifest is not None:
                with concerning("files.output"):
                    self.manifest.write()
        finally:
            if self.remembered is not None:
                self.remembered.close()
            self.escrow.close()
            self.audit.close()

    def done(self) -> None:
        """Note that a lane was closed, so that another can open."""
        self._room.release()

    def public(self, topic: str) -> str:
        """Return the number of a file, because its name can identify a patient."""
        return f"file-{self._numbers[topic]}"

    def lag(self) -> dict[str, int]:
        """Return nothing: the messages of files are not counted in advance."""
        return {}

    def lacking(self) -> tuple[str, ...]:
        """Return nothing: files need no other service."""
        return ()


class FileLane:
    """The lane of one input file, and its output while it is being written."""

    def __init__(self, transport: FilesTransport, source: Source) -> None:
        self.transport = transport
        self.source = source
        self.section = Section(source.name)
        self.framing: dict[int, tuple[bytes, bytes]] = {}
        self._output: BinaryIO | None = None
        self._unfinished: Unfinished | None = None
        self._given = 0
        self._settled = 0
        self._ended = False

    @property
    def name(self) -> str:
        """The public name of the file, which has its number."""
        return self.transport.public(self.source.name)

    async def state(self) -> AsyncIterator[Record]:
        """Yield the entries that earlier runs left in the state file."""
        if self.transport.remembered is not None:
            for record in self.transport.remembered.records():
                yield record

    async def batches(self) -> AsyncIterator[Sequence[Record]]:
        """Yield batches of the file's messages, read and split in a thread."""
        batches = self._batches()
        batch = await asyncio.to_thread(next, batches, None)
        while batch is not None and not self.transport.draining:
            self._given += len(batch)
            yield batch
            batch = await asyncio.to_thread(next, batches, None)
        self._ended = batch is None

    def _batches(self) -> Iterator[Sequence[Record]]:
        batch: list[Record] = []
        size = 0
        for index, frame in enumerate(self._frames()):
            full = size + len(frame.value) > self.transport.batch_bytes
            if batch and (full or len(batch) == self.transport.batch_records):
                yield batch
                batch, size = [], 0
            self.framing[index] = frame.prefix, frame.suffix
            batch.append(Record(frame.value, Position(self.source.name, 0, index)))
            size += len(frame.value)
        if batch:
            yield batch

    def _frames(self) -> Iterator[Frame]:
        """Yield the file's frames; an empty file has one empty frame."""
        empty = True
        with concerning("files.inputs"), self._stream() as stream:
            split = self.transport.split(self.source.name)
            for block in (stream.read(),) if split is None else blocks(stream):
                for frame in (Frame(b"", block, b""),) if split is None else split(block):
                    empty = False
                    yield frame
        if empty:
            yield Frame(b"", b"", b"")

    def _stream(self) -> BinaryIO:
        if self.source.path is None:
            return os.fdopen(os.dup(sys.stdin.fileno()), "rb")
        return self.source.path.open("rb")

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[FileTransaction]:
        """Open a transaction, committed if the block raises nothing."""
        transaction = FileTransaction(self)
        yield transaction
        transaction.commit()

    def write(self, pieces: Sequence[bytes]) -> None:
        """Append to the output; a terminal shows control characters as escapes."""
        if self._output is None:
            self._output = self._opened()
        shown = self._output.isatty()
        self._output.writelines(map(visible_bytes, pieces) if shown else pieces)

    def _opened(self) -> BinaryIO:
        if self.transport.output is None:
            return os.fdopen(os.dup(sys.stdout.fileno()), "wb")
        self._unfinished = Unfinished(target(self.transport.output, self.source.name))
        return self._unfinished.stream

    def settle(self, upto: int) -> None:
        """Settle the records up to index ``upto``, and free their framing."""
        for index in range(self._settled, upto + 1):
            self.framing.pop(index, None)
        self._settled = upto + 1

    async def rewind(self) -> bool:
        """Return False: a file cannot rewind."""
        return False

    async def close(self) -> None:
        """Rename the output if the whole file is settled, else remove it.

        Raises:
            OSError: its last bytes cannot be written; it is removed.
        """
        with concerning("files.output"):
            if self._unfinished is None:
                if self._output is not None:
                    self._output.close()
                elif self.transport.output is not None and self._complete():
                    _remove(self.transport.output, self.source.name)
            elif self._complete():
                self._unfinished.finish()
            else:
                self._unfinished.remove()
        if self._complete():
            self.transport.unfinished.discard(self.source.name)
            if self.transport.manifest is not None:
                self.transport.manifest.add(self.section)
        self.transport.done()

    def _complete(self) -> bool:
        return self._ended and self._settled == self._given


def _remove(output: Path, name: str) -> None:
    """Remove what an earlier run released of a file."""
    if (output / name).is_file():
        target(output, name).unlink()


@dataclass(slots=True)
class FileTransaction:
    """The writes of a batch, made when it is committed."""

    lane: FileLane
    released: list[tuple[Pieces, Headers]] = field(default_factory=list, repr=False)
    held: list[bytes] = field(default_factory=list, repr=False)
    audit: list[bytes] = field(default_factory=list, repr=False)
    state: list[Record] = field(default_factory=list, repr=False)
    escrow: list[bytes] = field(default_factory=list, repr=False)
    upto: int | None = None

    async def send(self, channel: Channel, record: Record) -> None:
        """Add a record to the transaction; a released message gets its framing."""
        value = record.value or b""
        match channel:
            case Channel.RELEASED:
                prefix, suffix = self.lane.framing[record.position.offset]
                self.released.append(((prefix, value, suffix), record.headers))
            case Channel.HELD:
                self.held.append(value)
            case Channel.AUDIT:
                self.audit.append(value)
            case Channel.STATE:
                self.state.append(record)
            case Channel.ESCROW:
                self.escrow.append(value)

    async def advance(self, position: Position) -> None:
        """Set the position up to which records are settled."""
        self.upto = position.offset

    def commit(self) -> None:
        """Write all records."""
        transport = self.lane.transport
        with concerning("files.escrow"):
            transport.escrow.write(self.escrow)
        if transport.quarantine is not None:
            with concerning("files.quarantine"):
                for envelope in self.held:
                    transport.quarantine.write(envelope)
        with concerning("files.audit"):
            transport.audit.write(self.audit)
        if transport.remembered is not None:
            with concerning("files.state"):
                transport.remembered.write(self.state)
        if self.released:
            with concerning("files.output"):
                self.lane.write([piece for pieces, _ in self.released for piece in pieces])
        for pieces, headers in self.released:
            self.lane.section.released(pieces, headers)
        self.lane.section.held(len(self.held))
        if self.upto is not None:
            self.lane.settle(self.upto)
