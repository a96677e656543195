"""The file backend: makes the file transport, its dry-run reader and its quarantine."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.sealing.key_lookup import audit_signer
from adapter.sealing.quarantine import Folder
from adapter.telemetry.error_names import concerning
from adapter.transports.backend import Findings
from adapter.transports.files.audit import AuditFile, read_lines
from adapter.transports.files.failures import disk_failures
from adapter.transports.files.folder import FolderTransport
from adapter.transports.files.manifest import Manifest
from adapter.transports.files.reading import FilesReader
from adapter.transports.files.transport import FilesTransport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection

    from adapter.config.settings import Settings
    from adapter.sealing.verification import Place
    from adapter.transports.backend import AccessLog, Split
    from adapter.transports.dry_run import Reader
    from adapter.transports.protocol import Transport


class FilesBackend:
    """Reads files and folders, writes a folder; held messages stay at their source."""

    ends = True
    keeps_originals = True
    broker = False

    def transport(self, settings: Settings, split: Split, *, sealed: bool) -> Transport:
        """Return a transport that reads the inputs once."""
        del sealed
        return FilesTransport(settings.files, settings.workers, split, audit_signer(settings))

    def reader(self, settings: Settings, split: Split, records: int) -> Reader:
        """Return a reader of all inputs, from their beginning.

        Raises:
            RuleError: an input is missing, or two have one name.
        """
        del records  # the caller limits the records
        return FilesReader(settings.files, settings.workers, split)

    def refuse_escrow(self, settings: Settings) -> None:
        """Refuse settings that enable escrow without a file for it.

        Raises:
            RuleError: the settings name no file.
        """
        if settings.files.escrow is None:
            raise RuleError("files.escrow", "is not set; escrow.enabled needs this file")

    def remembers(self, settings: Settings, *, sealed: bool) -> bool:
        """Return True: patient memory lasts for the run, and beyond it if a file is named.

        Raises:
            RuleError: a file is named, and there is no key to seal it with.
        """
        if settings.files.state is not None and not sealed:
            raise RuleError(
                "keys.state", "is not set; files.state needs a key to seal patient memory"
            )
        return True

    def memory_place(self, settings: Settings) -> str:
        """Return "in FILE" if the settings name a file, else "for each run"."""
        return f"in {settings.files.state}" if settings.files.state else "for each run"

    async def preflight(self, settings: Settings, *, state: bool, create: bool) -> Findings:
        """Return no findings: files need no preflight."""
        del settings, state, create
        return Findings()

    async def envelopes(self, settings: Settings) -> AsyncIterator[tuple[str, bytes]]:
        """Yield (name, envelope) of each file in the quarantine folder.

        Raises:
            RuleError: the settings name no folder.
        """
        folder = _folder(settings)
        for name in folder.names():
            yield name, folder.read(name)

    async def quarantine(self, settings: Settings) -> Transport:
        """Return a transport that reads the quarantine folder once.

        Raises:
            RuleError: the settings name no folder.
        """
        output = Path(settings.files.output)
        batch, files = settings.workers.batch_records, settings.files
        return FolderTransport(
            _folder(settings), output, batch, escrow=files.escrow, audit=_audit(settings)
        )

    def released(self, settings: Settings, ids: Collection[str]) -> Collection[str]:
        """Return those of the ids that the output's manifest lists; none for standard output."""
        if settings.files.output == "-":
            return frozenset()
        return Manifest(Path(settings.files.output)).ids().intersection(ids)

    def require_audit(self, settings: Settings) -> None:
        """Refuse settings without an audit file.

        Raises:
            RuleError: the settings name no file.
        """
        if settings.files.audit is None:
            raise RuleError("files.audit", "is not set; this command must be recorded in the audit")

    async def record(self, settings: Settings, entry: bytes) -> None:
        """Append to the audit file, and wait until the record is on the disk.

        Raises:
            RuleError: the settings name no file.
        """
        self.require_audit(settings)
        _append(_audit(settings), entry)

    def access_log(self, settings: Settings, name: str) -> AccessLog:
        """Return a log that appends to the audit file, in turn with its other writers.

        Raises:
            RuleError: the settings name no file.
        """
        del name  # a file is one chain
        self.require_audit(settings)
        return _AuditLog(_audit(settings))

    async def recorded(self, settings: Settings) -> AsyncIterator[tuple[Place, bytes]]:
        """Yield (place, line) of the audit file.

        Raises:
            RuleError: the settings name no file.
        """
        self.require_audit(settings)
        for place_and_line in read_lines(settings.files.audit or Path()):
            yield place_and_line


@dataclass(frozen=True, slots=True)
class _AuditLog:
    """Opens the file for each record, since it may have been moved away meanwhile."""

    _file: AuditFile = field(repr=False)

    async def write(self, entry: bytes) -> None:
        """Append a record, and wait until it is on the disk.

        Raises:
            TransportError: it cannot be written.
        """
        with disk_failures(), concerning("files.audit"):
            _append(self._file, entry)

    async def close(self) -> None:
        """Do nothing: the file is open only while a record is written."""


def _append(file: AuditFile, entry: bytes) -> None:
    file.open()
    try:
        file.write([entry])
    finally:
        file.close()


def _audit(settings: Settings) -> AuditFile:
    return AuditFile(settings.files.audit, audit_signer(settings))


def _folder(settings: Settings) -> Folder:
    if settings.files.quarantine is None:
        raise RuleError("files.quarantine", "is not set; name the folder of held messages")
    return Folder(settings.files.quarantine)
