"""Parses objects' names: topic, partition, and offset of the first record.

The forms are those of the connectors' documentation and sources: Confluent's
``topic+partition+offset.ext``, with keys and headers in separate objects of the same stem; Aiven's
``topic-partition-offset``; Lenses' ``topic/partition/offset_time_time.ext`` and the older
``topic(partition_offset).ext``; Hive's ``topic=.../partition=...`` for others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Part(StrEnum):
    """The part of its records that an object holds."""

    RECORDS = "records"
    KEYS = "keys"
    HEADERS = "headers"
    TOMBSTONES = "tombstones"


@dataclass(frozen=True, slots=True)
class Named:
    """The parts of an object's name, None if missing; parts of one object share the ``stem``."""

    topic: str | None = None
    partition: int | None = None
    offset: int | None = None
    part: Part = Part.RECORDS
    stem: str = field(default="", repr=False)


_CONFLUENT = re.compile(
    r"(?P<stem>(?P<topic>[^/+]+)\+(?P<partition>\d+)\+(?P<offset>\d+))(?P<part>\.keys|\.headers)?"
    r"\.[A-Za-z0-9.]+"
)
_AIVEN = re.compile(r"(?P<topic>[^/]+)-(?P<partition>\d+)-(?P<offset>\d+)(?:\.[A-Za-z0-9.]+)?")
_LENSES = re.compile(
    r"(?:.*/)?(?P<topic>[^/=]+)/(?:partition=)?(?P<partition>\d+)/(?P<offset>\d+)"
    r"(?:_-?\d+_-?\d+)?[^/.]*(?:\.[A-Za-z0-9.]+)?"
)
_LENSES_OLD = re.compile(
    r"(?P<topic>[^/()]+)\((?P<partition>\d+)_(?P<offset>\d+)\)[^/.]*(?:\.[A-Za-z0-9.]+)?"
)
_HIVE_TOPIC = re.compile(r"(?:^|/)topic=([^/]+)/")
_HIVE_PARTITION = re.compile(r"(?:^|/)partition=(\d+)/")
TOMBSTONES = "tombstone"
"""Confluent's default name of the folder for keys of tombstones."""


def confluent(path: str) -> Named | None:
    """Parse a name of Confluent's connector, or return None; keys and headers are objects too."""
    folder, _, base = path.rpartition("/")
    match = _CONFLUENT.fullmatch(base)
    if match is None:
        return None
    part = Part(match["part"][1:]) if match["part"] else Part.RECORDS
    if part is Part.KEYS and TOMBSTONES in folder.split("/"):
        part = Part.TOMBSTONES
    return _named(match, part, f"{folder}/{match['stem']}")


def aiven(path: str) -> Named | None:
    """Parse a default name of Aiven's connector, or return None."""
    match = _AIVEN.fullmatch(path.rpartition("/")[2])
    return _named(match) if match else None


def lenses(path: str) -> Named | None:
    """Parse a name of Lenses' connector; other names are accepted, as envelopes repeat the data."""
    match = _LENSES.fullmatch(path) or _LENSES_OLD.fullmatch(path.rpartition("/")[2])
    return _named(match) if match else Named()


def columns(path: str) -> Named:
    """Parse topic and partition from Hive's folders, if present."""
    topic, partition = _HIVE_TOPIC.search(path), _HIVE_PARTITION.search(path)
    return Named(topic[1] if topic else None, int(partition[1]) if partition else None)


def plain(_path: str) -> Named:
    """Return an empty result: plain names have no meaning."""
    return Named()


def _named(match: re.Match[str], part: Part = Part.RECORDS, stem: str = "") -> Named:
    return Named(match["topic"], int(match["partition"]), int(match["offset"]), part, stem)


NAMES: dict[str, Callable[[str], Named | None]] = {
    "columns": columns,
    "confluent": confluent,
    "lenses": lenses,
    "aiven": aiven,
    "plain": plain,
}
"""Layout -> parser of its names, which returns None for a name in another form."""


def hidden(path: str) -> bool:
    """Return whether a name is a writer's auxiliary file (``_SUCCESS``, ``.part-0.crc``)."""
    return any(part.startswith(("_", ".")) for part in path.split("/"))
