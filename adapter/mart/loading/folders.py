"""Every kind of folder that a backfill is loaded from, by its manifest; adding one adds a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.loading.folder import FolderSource
from adapter.mart.loading.replayed import ReplayedSource
from adapter.replay.folder.journalled import MANIFEST as REPLAYED
from adapter.transports.files.names import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from adapter.mart.loading.folder import Split
    from adapter.mart.loading.source import Source


@dataclass(frozen=True, slots=True)
class Opened:
    """What folders are opened with: what takes files apart, and the keys of what is loaded."""

    split: Split
    keys: Callable[[], Sequence[str]]
    batch_records: int


def _files(folder: Path, name: str, opened: Opened) -> Source:
    return FolderSource(folder, name, opened.split, opened.keys, opened.batch_records)


def _replayed(folder: Path, name: str, opened: Opened) -> Source:
    return ReplayedSource(folder, name, opened.keys, opened.batch_records)


FOLDERS: dict[str, Callable[[Path, str, Opened], Source]] = {MANIFEST: _files, REPLAYED: _replayed}
"""The name of a folder's manifest -> what reads it."""


def source_of(folder: Path, name: str | None, opened: Opened) -> Source:
    """The source that a folder is; its backfill has the folder's name unless another is given.

    Raises:
        RuleError: it has no manifest, or several.
    """
    found = [kind for kind in FOLDERS if (folder / kind).is_file()]
    if len(found) != 1:
        told = "two manifests" if found else f"neither {' nor '.join(FOLDERS)}"
        raise RuleError(str(folder), f"has {told}")
    return FOLDERS[found[0]](folder, name or folder.resolve().name, opened)
