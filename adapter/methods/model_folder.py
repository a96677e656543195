"""A trained method in a folder: its files, and ``method.toml`` with their digests."""

from __future__ import annotations

import hashlib
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

CARD = "method.toml"


@dataclass(frozen=True, slots=True)
class Kept:
    """A trained method as stored in a folder."""

    method: str
    language: str
    seed: int
    headers: bool
    files: Mapping[str, bytes] = field(repr=False)


def write(folder: Path, kept: Kept) -> None:
    """Write the files, then the card that lists them.

    Only the owner can read the files, because they may contain words of patients' texts.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    for name in _named(folder):
        (folder / name).unlink(missing_ok=True)
    for name, content in kept.files.items():
        (folder / name).touch(mode=0o600)
        (folder / name).chmod(0o600)
        (folder / name).write_bytes(content)
    digests = "".join(f'"{name}" = "{_digest(kept.files[name])}"\n' for name in sorted(kept.files))
    headers = str(kept.headers).lower()
    (folder / CARD).write_text(
        f'method = "{kept.method}"\nlanguage = "{kept.language}"\nseed = {kept.seed}\n'
        f"headers = {headers}\n\n[digest]\n{digests}",
        "utf-8",
    )


def _named(folder: Path) -> list[str]:
    """Return the files of a trained method that the folder has already."""
    try:
        return list(read(folder).files) if (folder / CARD).exists() else []
    except RuleError:
        return []


def read(folder: Path) -> Kept:
    """Read a trained method from a folder.

    Raises:
        RuleError: the card or a file is missing, malformed or changed.
    """
    place = f"{folder}/{CARD}"
    try:
        card: dict[str, Any] = tomllib.loads((folder / CARD).read_text("utf-8"))
        files = {name: _checked(folder, name, digest) for name, digest in card["digest"].items()}
        return Kept(card["method"], card["language"], card["seed"], card["headers"], files)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise RuleError(place, "is not the card of a trained method") from None


def _checked(folder: Path, name: str, digest: str) -> bytes:
    if "/" in name or name.startswith("."):
        raise RuleError(f"{folder}/{CARD}", "names a file outside the folder")
    try:
        content = (folder / name).read_bytes()
    except OSError:
        place = f"{folder}/{name}"
        raise RuleError(place, "cannot be read") from None
    if _digest(content) != digest:
        raise RuleError(f"{folder}/{name}", "is not the file that its card names")
    return content


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"
