"""Reads the manifest of an output folder, as `deid-adapter file` writes it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.headers import MESSAGE_ID
from adapter.transports.files.names import MANIFEST

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_KEY = "deid-key"
_HEADERS = ("deid-ruleset", _KEY)
_MERGES = "deid-merges"
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """The manifest's entry of a released message: its id, and its headers as bytes."""

    message_id: str
    headers: tuple[tuple[str, bytes], ...] = field(repr=False)


@dataclass(slots=True)
class File:
    """An output file, its digest, and its messages in order."""

    name: str = field(repr=False)
    sha256: str = ""
    messages: list[ManifestEntry] = field(default_factory=list)


def read_manifest(folder: Path) -> tuple[str, tuple[File, ...]]:
    """Return the manifest's digest, and the files with released messages, sorted by name.

    Raises:
        RuleError: the manifest is missing, truncated, or of another kind.
    """
    path = folder / MANIFEST
    files: dict[str, File] = {}
    total: dict[str, Any] = {}
    digest = hashlib.sha256()
    try:
        with path.open("rb") as lines:
            for line in lines:
                entry = json.loads(line)
                total = entry.get("total", {})
                if not total:
                    digest.update(line)
                    _add(files, entry)
    except OSError as error:
        raise RuleError(str(path), f"cannot be read ({type(error).__name__})") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise RuleError(str(path), "is not a manifest of released messages") from None
    if total.get("sha256") != digest.hexdigest():
        raise RuleError(str(path), "is truncated or was changed: its last line has another digest")
    return digest.hexdigest(), tuple(files[name] for name in sorted(files) if files[name].messages)


def keys_of(files: Iterable[File]) -> tuple[str, ...]:
    """Return the ids of the adapter's keys that the messages were released under, sorted."""
    keys = (dict(message.headers).get(_KEY, b"") for file in files for message in file.messages)
    return tuple(sorted({key_id.decode() for key_id in keys if key_id}))


def _add(files: dict[str, File], entry: dict[str, Any]) -> None:
    file = files.setdefault(entry["file"], File(entry["file"]))
    if "sha256" in entry:
        file.sha256 = entry["sha256"] or ""
        return
    headers = [(MESSAGE_ID, entry[MESSAGE_ID])] + [
        (name, entry[name]) for name in _HEADERS if name in entry
    ]
    if _MERGES in entry:
        headers.append((_MERGES, json.dumps(entry[_MERGES], separators=(",", ":"))))
    if entry["index"] != len(file.messages):
        raise ValueError
    message = ManifestEntry(
        entry[MESSAGE_ID], tuple((name, value.encode()) for name, value in headers)
    )
    file.messages.append(message)


def verify(path: Path, file: File) -> None:
    """Refuse a file that differs from its entry in the manifest.

    Raises:
        RuleError: the file cannot be read, or its digest differs.
    """
    try:
        with path.open("rb") as stream:
            digest = hashlib.sha256()
            while block := stream.read(_BLOCK):
                digest.update(block)
    except OSError as error:
        raise RuleError(str(path), f"cannot be read ({type(error).__name__})") from None
    if digest.hexdigest() != file.sha256:
        raise RuleError(str(path), f"does not match {MANIFEST}: truncated or changed")
