"""All sources and targets of replays by their name in the settings; add a line to add one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adapter.errors import RuleError
from adapter.replay.archive.source import ArchiveSource
from adapter.replay.folder.target import FolderTarget
from adapter.replay.mart.target import MartTarget
from adapter.replay.topic.source import TopicSource
from adapter.replay.topic.target import TopicTarget

if TYPE_CHECKING:
    from collections.abc import Callable

    from adapter.config.settings import Settings
    from adapter.replay.protocol import Source, Target


def _archive(settings: Settings) -> Source:
    return ArchiveSource.of(settings)


def _folder(settings: Settings, *, sealed: bool) -> Target:
    return FolderTarget.of(settings, sealed=sealed)


def _kafka(settings: Settings) -> Source:
    return TopicSource.of(settings)


def _topic(settings: Settings, *, sealed: bool) -> Target:
    return TopicTarget.of(settings, sealed=sealed)


def _mart(settings: Settings, *, sealed: bool) -> Target:
    return MartTarget.of(settings, sealed=sealed)


SOURCES: dict[str, Callable[[Settings], Source]] = {"archive": _archive, "kafka": _kafka}
"""Kind -> constructor of a source."""
TARGETS: dict[str, Callable[..., Target]] = {
    "folder": _folder,
    "topic": _topic,
    "mart": _mart,
}
"""Kind -> constructor of a target, from settings and whether patient state can be sealed."""


def source_of(settings: Settings) -> Source:
    """Return the source that the settings name.

    Raises:
        RuleError: the name is unknown, or a setting is missing.
    """
    kind = settings.replay.source.kind
    if kind not in SOURCES:
        raise RuleError("replay.source.kind", f"must be one of {', '.join(SOURCES)}")
    return SOURCES[kind](settings)


def target_of(settings: Settings, *, sealed: bool) -> Target:
    """Return the target that the settings name.

    Raises:
        RuleError: the name is unknown, or a setting is missing.
    """
    kind = settings.replay.target.kind
    if kind not in TARGETS:
        raise RuleError("replay.target.kind", f"must be one of {', '.join(TARGETS)}")
    return TARGETS[kind](settings, sealed=sealed)
