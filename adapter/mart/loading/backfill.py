"""What every folder that is loaded as a backfill has: one lane, counted records, a manifest."""

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
    """The topic of a backfill's messages."""
    return f"{BACKFILL}{name}"


def lane_of(name: str, digest: str) -> Lane:
    """The lane of a folder, by its manifest's digest: one that was written anew is another feed."""
    return Lane(f"{topic_of(name)}@{digest[:_SHORT]}", 0)


async def counted(
    start: Mapping[Lane, int | None], records: Callable[[int], Iterator[Released]], most: int
) -> AsyncIterator[Batch | None]:
    """Batches of a folder's one lane; ``records`` gives those behind the first so many."""
    ((lane, offset),) = start.items()
    done = offset or 0
    left = records(done)
    while batch := tuple(islice(left, most)):
        done += len(batch)
        yield Batch(lane, batch, done)
    yield None


def inside(folder: Path, name: str, manifest: str) -> Path:
    """The file of a name that a manifest has.

    Raises:
        RuleError: it lies outside the folder.
    """
    path = folder / name
    if not path.resolve().is_relative_to(folder.resolve()):
        raise RuleError(str(folder / manifest), "names a file outside the folder")
    return path
