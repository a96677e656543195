"""Polls for changes of the files that rules are read from."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.rules.folder import models_folder, rules_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from adapter.config.settings import Settings

SECONDS = 5.0
"""Seconds between two checks; a change is reported when two checks in a row agree."""

Seen = tuple[tuple[str, int, int], ...]
"""Path, time of change in nanoseconds and size in bytes of each file."""


async def changed(
    look: Callable[[], object], wanted: asyncio.Event, seconds: float = SECONDS
) -> None:
    """Set ``wanted`` when ``look`` returns the same new value twice in a row."""
    known = last = await asyncio.to_thread(_seen, look)
    while True:
        await asyncio.sleep(seconds)
        now = await asyncio.to_thread(_seen, look)
        if now == last and now != known:
            known = now
            wanted.set()
        last = now


def _seen(look: Callable[[], object]) -> object:
    """Return the result of ``look``; an error, such as a missing folder, is a result too."""
    try:
        return look()
    except (OSError, RuleError) as error:
        return type(error).__name__


def files_of(settings: Settings, config: Path) -> Seen:
    """Return the state of the files that a ruleset is made from, settings included."""
    return tuple(sorted(_stats(settings, config)))


def _stats(settings: Settings, config: Path) -> Iterator[tuple[str, int, int]]:
    shadow = settings.shadow
    roots = [config, rules_folder(settings).path, models_folder(settings), settings.rules.names]
    roots += [*settings.rules.site, shadow.folder, shadow.models, shadow.names]
    for root in filter(None, [*roots, *(shadow.site or ())]):
        for file in [root] if root.is_file() else root.rglob("*"):
            try:
                stat = file.stat()
            except OSError:  # removed or unreadable: the reload reports it
                continue
            if file.is_file():
                yield str(file), stat.st_mtime_ns, stat.st_size
