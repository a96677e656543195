"""Records of releases that are being published, for recovery after an interruption.

Publishing has steps that no single transaction covers: a PostgreSQL schema, the renaming of the
folder, the store's row. A record next to the folder exists from before the first step until after
the last, so the next run completes a release that is published, and undoes one that is not.
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

    ``digest`` is the SHA-256 of its manifest; ``in_schema`` is True if its tables are in a
    PostgreSQL schema, whose commit then publishes it.
    """

    row: ReleaseRow
    project: str
    digest: str
    in_schema: bool


def record_of(folder: Path, name: str) -> Path:
    """Return the path of a release's record, next to the folder of the release."""
    return folder / f".{name}{SUFFIX}"


def note(folder: Path, pending: Pending) -> None:
    """Write the record durably, with mode 0600 because it has exact counts."""
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
            each = json.loads(path.read_bytes())
            row = {**each["row"], "released_on": dt.date.fromisoformat(each["row"]["released_on"])}
            yield Pending(
                ReleaseRow(**row), each["project"], each["digest"], bool(each["in_schema"])
            )
        except (OSError, ValueError, KeyError, TypeError):
            raise RuleError(str(path), "is not a record of a release that was begun") from None


def _plain(row: ReleaseRow) -> dict[str, Any]:
    return {**asdict(row), "released_on": row.released_on.isoformat()}
