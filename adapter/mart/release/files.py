"""A release as a folder, which is written under another name and then renamed, atomically."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.mart.release.pending import record_of
from adapter.mart.release.tables import Table, ordered
from adapter.mart.views import sql
from adapter.transports.files.disk import sync

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    import duckdb

PARTIAL, WORK = ".partial", ".work"
CHUNK = 1 << 20
MANIFEST = "manifest.json"


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Lock a folder for the block, so that no other process creates a release in it.

    Raises:
        RuleError: another process holds the lock.
    """
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        _lock(descriptor, folder)
        yield
    finally:
        os.close(descriptor)


def _lock(descriptor: int, folder: Path) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise RuleError(str(folder), "another release is being made in this folder") from None


@contextmanager
def new_folder(folder: Path, name: str) -> Iterator[Path]:
    """Yield a folder to write to, which is renamed to the release's name after the block.

    On an exception it is removed, unless a pending record exists: the release may be published.

    Raises:
        RuleError: a release of this name exists.
    """
    target = folder / name
    if target.exists():
        raise RuleError(f"release {name}", "its folder already exists")
    folder.mkdir(parents=True, exist_ok=True)
    if record_of(folder, name).exists():
        raise RuleError(f"release {name}", "was begun by another project and not completed")
    partial = partial_of(folder, name)
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    try:
        yield partial
        complete(folder, name)
    except BaseException:
        if not record_of(folder, name).exists():
            discard(folder, name)
        raise


def partial_of(folder: Path, name: str) -> Path:
    """Return the folder in which a release is written before it is renamed."""
    return folder / f".{name}{PARTIAL}"


def complete(folder: Path, name: str) -> None:
    """Rename a completely written release to its final name."""
    partial_of(folder, name).rename(folder / name)
    sync(folder)


def discard(folder: Path, name: str) -> None:
    """Remove the partial and working folders of a release."""
    for suffix in (PARTIAL, WORK):
        shutil.rmtree(folder / f".{name}{suffix}", ignore_errors=True)


@contextmanager
def work_folder(folder: Path, name: str) -> Iterator[Path]:
    """Yield a temporary folder with mode 0700 next to the release's.

    It contains the tables before the gate; a killed process leaves it behind.
    """
    work = folder / f".{name}{WORK}"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(mode=0o700, parents=True)
    try:
        yield work
    finally:
        shutil.rmtree(work, ignore_errors=True)


def durable(folder: Path) -> None:
    """Sync all files of a folder to disk."""
    for path in (*sorted(folder.rglob("*")), folder):
        sync(path)


def write_tables(
    connection: duckdb.DuckDBPyConnection, tables: Iterable[Table], folder: Path
) -> None:
    """Write each table as a Parquet file, sorted by person and date."""
    for table in tables:
        target = sql.text(str(folder / f"{table.name}.parquet"))
        connection.execute(
            f"COPY ({ordered(table)}) TO {target} (FORMAT parquet, COMPRESSION zstd)"
        )


def manifests(folder: Path) -> Iterator[dict[str, str]]:
    """Yield name and key of the releases in a folder, sorted by name.

    Raises:
        RuleError: a manifest is invalid, so the keys of earlier releases are unknown.
    """
    for file in sorted(folder.glob(f"[!.]*/{MANIFEST}")):
        try:
            made = json.loads(file.read_bytes())
            yield {"name": str(made["name"]), "key": str(made["key"])}
        except (ValueError, KeyError, TypeError):
            raise RuleError(str(file), "is not a manifest of a release") from None


def write_json(folder: Path, name: str, content: Any) -> None:
    """Write a report as JSON."""
    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    (folder / name).write_text(text, "utf-8")


def digests(folder: Path) -> dict[str, str]:
    """Return the hexadecimal SHA-256 of each file, by its relative path."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): _digest(path) for path in files}


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
