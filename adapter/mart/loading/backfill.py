"""Functions for all folders loaded as a backfill: one lane, counted records, a manifest."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.mart.loading.source import Batch
from adapter.mart.store.protocol import Lane
from adapter.mart.versions import BACKFILL

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator, Mapping
    from pathlib import Path

    from adapter.mart.versions import Released

_SHORT = 12


def topic_of(name: str) -> str:
    """Return the topic of a backfill's messages."""
    return f"{BACKFILL}{name}"


def lane_of(name: str, digest: str) -> Lane:
    """Return the lane of a folder; it has the manifest's digest, so a rewritten folder is new."""
    return Lane(f"{topic_of(name)}@{digest[:_SHORT]}", 0)


async def counted(
    start: Mapping[Lane, int | None], records: Callable[[int], Iterator[Released]], most: int
) -> AsyncIterator[Batch | None]:
    """Yield batches of a folder's only lane; ``records(n)`` yields the records from index n on."""
    ((lane, offset),) = start.items()
    done = offset or 0
    left = records(done)
    while batch := tuple(islice(left, most)):
        done += len(batch)
        yield Batch(lane, batch, done)
    yield None


def inside(folder: Path, name: str, manifest: str) -> Path:
    """Return the path of a file that a manifest names.

    Raises:
        RuleError: the path is outside the folder.
    """
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise RuleError(str(folder / manifest), "names a file outside the folder")
    return path
