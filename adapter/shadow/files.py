"""Compares two rulesets over files, each message independently of the others."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from adapter.config.files import Files
from adapter.runtime.service import splits
from adapter.runtime.workers import Pool
from adapter.shadow.comparison import Compared, Comparison
from adapter.shadow.worker import LoadBoth
from adapter.transports.files.reading import FilesReader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.config.settings import Settings
    from adapter.runtime.fork_server import Factory


async def over_files(current: Settings, shadow: Settings, inputs: Sequence[str]) -> Comparison:
    """Compare the rules of two settings over files and folders; both use the first's keys.

    Raises:
        RuleError: a rule cannot be applied, or an input is missing.
        WorkerStartError: a worker cannot be started.
    """
    other = current.model_copy(update={"rules": shadow.rules})
    files = Files(inputs=tuple(inputs), output="-")
    reader = FilesReader(files, current.workers, splits(current))
    seconds = 2 * current.workers.timeout_ms / 1000
    factory = cast("Factory", LoadBoth(current, other))
    found = Comparison()
    async with Pool(factory, current.workers.processes, seconds) as pool:
        for stream in reader.streams():
            async for batch in stream.batches():
                for processed in await pool.run(batch):
                    _add(found, processed.outcome)
    return found


def _add(found: Comparison, outcome: object) -> None:
    if isinstance(outcome, Compared):
        found.add(outcome)
    else:
        found.failed += 1
