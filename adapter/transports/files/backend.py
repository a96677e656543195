"""Files as the program's transport: what it needs, where it keeps things, its quarantine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.sealing.quarantine import Folder
from adapter.transports.files.folder import FolderTransport
from adapter.transports.files.transport import FilesTransport

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from adapter.config.settings import Settings
    from adapter.transports.backend import Split
    from adapter.transports.protocol import Transport


class FilesBackend:
    """Files and folders in, a folder out; held messages stay where they are unless sealed."""

    ends = True
    keeps_originals = True
    broker = False

    def transport(self, settings: Settings, split: Split, *, sealed: bool) -> Transport:
        """Read the inputs once."""
        del sealed
        return FilesTransport(settings.files, settings.workers, split)

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

    async def missing(self, settings: Settings) -> tuple[str, ...]:
        """Nothing: inputs are looked for when they are read."""
        del settings
        return ()

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
        batch, escrow = settings.workers.batch_records, settings.files.escrow
        return FolderTransport(_folder(settings), output, batch, escrow=escrow)


def _folder(settings: Settings) -> Folder:
    if settings.files.quarantine is None:
        raise RuleError("files.quarantine", "names no folder")
    return Folder(settings.files.quarantine)
