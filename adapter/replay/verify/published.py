"""Published results: releases by the id in their headers, held messages by their position.

Only digests are kept, 48 bytes per message.
"""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from aiokafka.errors import KafkaError

from adapter.headers import MESSAGE_ID
from adapter.replay.archive.compression import DAMAGED, damaged, decompressed
from adapter.replay.errors import ReplayError, at
from adapter.replay.folder.journal import unpacked
from adapter.replay.storage import Storage
from adapter.replay.topic.reading import committed
from adapter.sealing.box import SealError
from adapter.sealing.quarantine import read_clear
from adapter.transports.kafka.admin import partitions_of

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterable, Iterator

    from adapter.config.kafka import Kafka
    from adapter.config.settings import Settings
    from adapter.types import Record

KAFKA = "kafka"
_DIGEST = 16
_ID = re.compile(rb"[0-9a-f]{32}")
Place = tuple[str, int, int]
"""(topic, partition, offset) in the source."""


@dataclass(slots=True)
class Published:
    """Published results in digests.

    ``released`` maps an id to (digest of key and value, digest of headers), ``held`` a position to
    "stage/code". ``counts`` are held messages by "stage/code", for results without positions.
    """

    released: dict[bytes, tuple[bytes, bytes]] = field(default_factory=dict, repr=False)
    held: dict[Place, str] = field(default_factory=dict, repr=False)
    counts: dict[str, int] | None = None

    def release(self, record: Record, place: str) -> None:
        """Add a release.

        Raises:
            ReplayError: the release has no id.
        """
        found = message_id(record)
        if found is None:
            raise ReplayError(place, f"has no header {MESSAGE_ID}, so it cannot be identified")
        self.released[found] = digests(record)

    def hold(self, envelope: bytes) -> None:
        """Add a held message.

        Bytes that are not an envelope are ignored, because they give no position; the replay's hold
        of that message then counts as a difference.
        """
        try:
            held = read_clear(envelope)
        except SealError:
            return
        self.held[held.topic, held.partition, held.offset] = f"{held.stage}/{held.code}"


def message_id(record: Record) -> bytes | None:
    """Return the message id in a record's headers, or None if there is no valid one."""
    found = next((value for name, value in record.headers if name == MESSAGE_ID), b"")
    return bytes.fromhex(found.decode("ascii")) if _ID.fullmatch(found) else None


def digests(record: Record) -> tuple[bytes, bytes]:
    """Return the digest of key and value, and the digest of the sorted headers."""
    headers = sorted((name, value.hex()) for name, value in record.headers)
    return _digest((record.key, record.value)), _digest([json.dumps(headers).encode()])


def _digest(parts: Iterable[bytes | None]) -> bytes:
    state = hashlib.blake2b(digest_size=_DIGEST)
    for part in parts:
        length = -1 if part is None else len(part)
        state.update(length.to_bytes(8, "big", signed=True) + (part or b""))
    return state.digest()


async def published(settings: Settings, against: str, topics: Iterable[str]) -> Published:
    """Read published results: of ``kafka`` (the live outputs), ``kafka:TEMPLATE``, or a folder.

    Raises:
        ReplayError: the results cannot be read, or releases have no ids.
    """
    if against == KAFKA or against.startswith(f"{KAFKA}:"):
        return await _topics(settings.kafka, against.removeprefix(KAFKA).lstrip(":"), topics)
    return _folder(Storage.at(against))


async def _topics(kafka: Kafka, template: str, sources: Iterable[str]) -> Published:
    found = Published()
    quarantine = f"{template}.quarantine" if template else kafka.quarantine
    try:
        for source in sorted(set(sources)):
            topic = template.replace("{topic}", source) or kafka.released_to(source)
            async for record in _records(kafka, topic):
                found.release(record, f"{topic}-{record.position.partition}")
            async for record in _records(kafka, quarantine.replace("{topic}", source), held=True):
                found.hold(record.value or b"")
    except (KafkaError, TimeoutError) as error:
        raise ReplayError(KAFKA, f"cannot be read ({type(error).__name__})") from None
    return found


async def _records(kafka: Kafka, topic: str, *, held: bool = False) -> AsyncIterator[Record]:
    partitions = await partitions_of(kafka, [topic])
    if not partitions and not held:
        raise ReplayError(topic, "no such topic")
    for partition in partitions:
        async for record in committed(kafka, partition):
            yield record


def _folder(storage: Storage) -> Published:
    raw = storage.read("manifest.json")
    if raw is None:
        raise ReplayError(storage.root, "has no manifest.json: no replay has finished here")
    try:
        told = json.loads(raw)
        found = Published(counts=dict(told["totals"]["holds"]))
        parts = [{"name": p["name"], "sha256": p["sha256"]} for p in told["output"]["parts"]]
    except (ValueError, KeyError, TypeError):
        raise ReplayError(storage.root, "has a manifest.json that is not of a replay") from None
    for part in parts:
        for number, line in enumerate(_lines(storage, part), start=1):
            found.release(_record(line, at(part["name"], number)), at(part["name"], number))
    return found


def _record(line: bytes, place: str) -> Record:
    try:
        return unpacked({"p": ["", 0, 0], **json.loads(line)})
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ReplayError(place, "is not a released message") from None


def _lines(storage: Storage, part: dict[str, str]) -> Iterator[bytes]:
    digest = hashlib.sha256()
    try:
        with storage.open(part["name"]) as stream:
            for line in decompressed(stream):
                digest.update(line)
                yield line
    except DAMAGED:
        raise damaged(part["name"]) from None
    if digest.hexdigest() != part["sha256"]:
        raise ReplayError(storage.path(part["name"]), "does not match the manifest")
