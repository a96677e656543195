"""Every source and target of a replay by the name settings use; adding one is adding its line."""

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
"""What can be read again."""
TARGETS: dict[str, Callable[..., Target]] = {
    "folder": _folder,
    "topic": _topic,
    "mart": _mart,
}
"""Where outcomes can go; each is made of the settings and whether what is known can be sealed."""


def source_of(settings: Settings) -> Source:
    """The source that the settings name.

    Raises:
        RuleError: there is none of that name, or it lacks a setting.
    """
    kind = settings.replay.source.kind
    if kind not in SOURCES:
        raise RuleError("replay.source.kind", f"is none of {', '.join(SOURCES)}")
    return SOURCES[kind](settings)


def target_of(settings: Settings, *, sealed: bool) -> Target:
    """The target that the settings name.

    Raises:
        RuleError: there is none of that name, or it lacks a setting.
    """
    kind = settings.replay.target.kind
    if kind not in TARGETS:
        raise RuleError("replay.target.kind", f"is none of {', '.join(TARGETS)}")
    return TARGETS[kind](settings, sealed=sealed)
