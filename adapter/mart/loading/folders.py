"""The kinds of folders that can be loaded as a backfill, by manifest; to add one, add a line."""

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
    """What a source needs to open a folder: the splitter of files, and the mart's keys."""

    split: Split
    keys: Callable[[], Sequence[str]]
    batch_records: int


def _files(folder: Path, name: str, opened: Opened) -> Source:
    return FolderSource(folder, name, opened.split, opened.keys, opened.batch_records)


def _replayed(folder: Path, name: str, opened: Opened) -> Source:
    return ReplayedSource(folder, name, opened.keys, opened.batch_records)


FOLDERS: dict[str, Callable[[Path, str, Opened], Source]] = {MANIFEST: _files, REPLAYED: _replayed}
"""Manifest file name -> the function that opens the folder."""


def source_of(folder: Path, name: str | None, opened: Opened) -> Source:
    """Return the source for a folder; the backfill has the folder's name if none is given.

    Raises:
        RuleError: the folder has no manifest, or several.
    """
    found = [kind for kind in FOLDERS if (folder / kind).is_file()]
    if len(found) != 1:
        problem = "two manifests" if found else f"neither {' nor '.join(FOLDERS)}"
        raise RuleError(str(folder), f"has {problem}")
    return FOLDERS[found[0]](folder, name or folder.resolve().name, opened)
