"""Reads the manifest of an output folder, as `deid-adapter file` writes it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.transports.files.names import MANIFEST
from adapter.types import MESSAGE_ID

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_KEY = "deid-key"
_HEADERS = ("deid-ruleset", _KEY)
_MERGES = "deid-merges"
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class Told:
    """The manifest's record of a released message: its id, and its headers as bytes."""

    message_id: str
    headers: tuple[tuple[str, bytes], ...] = field(repr=False)


@dataclass(slots=True)
class File:
    """An output file, its digest, and its messages in order."""

    name: str = field(repr=False)
    sha256: str = ""
    messages: list[Told] = field(default_factory=list)


def read_manifest(folder: Path) -> tuple[str, tuple[File, ...]]:
    """Return the manifest's digest, and the files with released messages, sorted by name.

    Raises:
        RuleError: the manifest is missing, truncated, or not one of ours.
    """
    path = folder / MANIFEST
    files: dict[str, File] = {}
    total: dict[str, Any] = {}
    digest = hashlib.sha256()
    try:
        with path.open("rb") as lines:
            for line in lines:
                said = json.loads(line)
                total = said.get("total", {})
                if not total:
                    digest.update(line)
                    _take(files, said)
    except OSError as error:
        raise RuleError(str(path), f"cannot be read ({type(error).__name__})") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise RuleError(str(path), "is not a manifest of released messages") from None
    if total.get("sha256") != digest.hexdigest():
        raise RuleError(str(path), "is truncated or was changed: its last line has another digest")
    return digest.hexdigest(), tuple(files[name] for name in sorted(files) if files[name].messages)


def keys_of(files: Iterable[File]) -> tuple[str, ...]:
    """The ids of the adapter's keys that messages of the files were released under, sorted."""
    told = (dict(message.headers).get(_KEY, b"") for file in files for message in file.messages)
    return tuple(sorted({key_id.decode() for key_id in told if key_id}))


def _take(files: dict[str, File], said: dict[str, Any]) -> None:
    file = files.setdefault(said["file"], File(said["file"]))
    if "sha256" in said:
        file.sha256 = said["sha256"] or ""
        return
    headers = [(MESSAGE_ID, said[MESSAGE_ID])] + [
        (name, said[name]) for name in _HEADERS if name in said
    ]
    if _MERGES in said:
        headers.append((_MERGES, json.dumps(said[_MERGES], separators=(",", ":"))))
    if said["index"] != len(file.messages):
        raise ValueError
    told = Told(said[MESSAGE_ID], tuple((name, value.encode()) for name, value in headers))
    file.messages.append(told)


def verify(path: Path, file: File) -> None:
    """Refuse a file that differs from its entry in the manifest.

    Raises:
        RuleError: the file cannot be read, or has other bytes.
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
