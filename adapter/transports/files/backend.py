"""Files as the program's transport: what it needs, where it keeps things, its quarantine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.sealing.key_lookup import audit_signer
from adapter.sealing.quarantine import Folder
from adapter.transports.backend import Findings
from adapter.transports.files.audit import AuditFile, read_lines
from adapter.transports.files.folder import FolderTransport
from adapter.transports.files.manifest import Manifest
from adapter.transports.files.reading import FilesReader
from adapter.transports.files.transport import FilesTransport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Collection

    from adapter.config.settings import Settings
    from adapter.sealing.verification import Place
    from adapter.transports.backend import Split
    from adapter.transports.dry_run import Reader
    from adapter.transports.protocol import Transport


class FilesBackend:
    """Files and folders in, a folder out; held messages stay where they are unless sealed."""

    ends = True
    keeps_originals = True
    broker = False

    def transport(self, settings: Settings, split: Split, *, sealed: bool) -> Transport:
        """Read the inputs once."""
        del sealed
        return FilesTransport(settings.files, settings.workers, split, audit_signer(settings))

    def reader(self, settings: Settings, split: Split, records: int) -> Reader:
        """Read the inputs from their begin.

        Raises:
            RuleError: an input is missing, or two have one name.
        """
        del records  # bounded by who reads
        return FilesReader(settings.files, settings.workers, split)

    def refuse_escrow(self, settings: Settings) -> None:
        """Originals need a file.

        Raises:
            RuleError: the settings name none.
        """
        if settings.files.escrow is None:
            raise RuleError("files.escrow", "names no file, and escrow.enabled needs one")

    def remembers(self, settings: Settings, *, sealed: bool) -> bool:
        """What is known lasts for the run, and for later ones where a file is named.

        Raises:
            RuleError: a file is named, and there is no key to seal it with.
        """
        if settings.files.state is not None and not sealed:
            raise RuleError("keys.state", "what is known of patients needs a key to be sealed with")
        return True

    def memory_place(self, settings: Settings) -> str:
        """The file, if there is one."""
        return f"in {settings.files.state}" if settings.files.state else "for each run"

    async def preflight(self, settings: Settings, *, state: bool, create: bool) -> Findings:
        """Nothing: it asks nobody before it runs."""
        del settings, state, create
        return Findings()

    async def envelopes(self, settings: Settings) -> AsyncIterator[tuple[str, bytes]]:
        """What lies in the quarantine's folder.

        Raises:
            RuleError: the settings name no folder.
        """
        folder = _folder(settings)
        for name in folder.names():
            yield name, folder.read(name)

    async def quarantine(self, settings: Settings) -> Transport:
        """Read the quarantine's folder once.

        Raises:
            RuleError: the settings name no folder.
        """
        output = Path(settings.files.output)
        batch, files = settings.workers.batch_records, settings.files
        return FolderTransport(
            _folder(settings), output, batch, escrow=files.escrow, audit=_audit(settings)
        )

    def released(self, settings: Settings, ids: Collection[str]) -> Collection[str]:
        """Those that the manifest of the output names."""
        if settings.files.output == "-":
            return frozenset()
        return Manifest(Path(settings.files.output)).ids().intersection(ids)

    def require_audit(self, settings: Settings) -> None:
        """Refuse settings without a file of audit records.

        Raises:
            RuleError: they name none.
        """
        if settings.files.audit is None:
            raise RuleError("files.audit", "names no file, and this is done on record only")

    async def record(self, settings: Settings, entry: bytes) -> None:
        """Append to the file, and wait for the disk.

        Raises:
            RuleError: the settings name none.
        """
        self.require_audit(settings)
        file = _audit(settings)
        file.open()
        try:
            file.write([entry])
        finally:
            file.close()

    async def recorded(self, settings: Settings) -> AsyncIterator[tuple[Place, bytes]]:
        """The lines of the file.

        Raises:
            RuleError: the settings name none.
        """
        self.require_audit(settings)
        for place_and_line in read_lines(settings.files.audit or Path()):
            yield place_and_line


def _audit(settings: Settings) -> AuditFile:
    return AuditFile(settings.files.audit, audit_signer(settings))


def _folder(settings: Settings) -> Folder:
    if settings.files.quarantine is None:
        raise RuleError("files.quarantine", "names no folder")
    return Folder(settings.files.quarantine)
