"""Releases between their making and the store's row of them: what a stopped run leaves behind.

A release is published by steps that no transaction has together: a schema of PostgreSQL, the name
of its folder, the store's row. A record beside the folder is there from before the first step until
after the last, so that the next run completes what is published and undoes what is not.
"""

from __future__ import annotations

import datetime as dt
import json
import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from adapter.errors import RuleError
from adapter.mart.store.protocol import ReleaseRow
from adapter.transports.files.disk import sync

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SUFFIX = ".pending"


@dataclass(frozen=True, slots=True)
class Pending:
    """A release that is about to be published.

    ``digest`` is the SHA-256 of its manifest; ``in_schema`` says that its tables are in a schema of
    PostgreSQL, which then is what publishes it.
    """

    row: ReleaseRow
    project: str
    digest: str
    in_schema: bool


def record_of(folder: Path, name: str) -> Path:
    """Return the path of a release's record: beside the folder of the release."""
    return folder / f".{name}{SUFFIX}"


def note(folder: Path, pending: Pending) -> None:
    """Write the record durably; it has exact counts, so nobody else may read it."""
    path = record_of(folder, pending.row.name)
    text = json.dumps({**asdict(pending), "row": _plain(pending.row)})
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    sync(fresh)
    fresh.replace(path)
    sync(folder)


def forget(folder: Path, name: str) -> None:
    """Remove the record of a release that is published and stored, or not published at all."""
    record_of(folder, name).unlink(missing_ok=True)
    sync(folder)


def noted(folder: Path) -> Iterator[Pending]:
    """Yield the releases of a folder that were not completed.

    Raises:
        RuleError: a record cannot be read.
    """
    for path in sorted(folder.glob(f".*{SUFFIX}")):
        try:
            told = json.loads(path.read_bytes())
            row = {**told["row"], "released_on": dt.date.fromisoformat(told["row"]["released_on"])}
            yield Pending(
                ReleaseRow(**row), told["project"], told["digest"], bool(told["in_schema"])
            )
        except (OSError, ValueError, KeyError, TypeError):
            raise RuleError(str(path), "is not a record of a release that was begun") from None


def _plain(row: ReleaseRow) -> dict[str, Any]:
    return {**asdict(row), "released_on": row.released_on.isoformat()}
