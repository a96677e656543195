"""The journal: one object per transaction, written atomically.

An object has a line of progress and a line for each record: released, held (sealed), audit, state
(sealed). An uncommitted transaction leaves no object, or an object that will be overwritten. The
journal stays with people who may see the origin of messages.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.replay.errors import ReplayError
from adapter.replay.progress import Progress
from adapter.transports.protocol import Channel
from adapter.types import Position, Record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.replay.storage import Storage

_CHUNK = re.compile(r"(\d{8})\.chunk")
_LETTERS = {
    Channel.RELEASED: "r",
    Channel.HELD: "h",
    Channel.AUDIT: "a",
    Channel.STATE: "s",
}
_BLOCK = 1 << 20


@dataclass(slots=True)
class JournalLane:
    """The journal's objects of one lane."""

    storage: Storage
    chunks: list[str] = field(default_factory=list, repr=False)

    def open(self) -> None:
        """List the objects of the lane.

        Raises:
            ReplayError: the folder does not answer, or an object of the sequence is missing.
        """
        found = [each.name for each in self.storage.objects() if _CHUNK.fullmatch(each.name)]
        self.chunks = sorted(found)
        if self.chunks and self.chunks[-1] != chunk_name(len(self.chunks) - 1):
            raise ReplayError(self.storage.root, "lacks a transaction: the journal was changed")

    def progress(self) -> Progress | None:
        """Return the progress of the last transaction, or None before the first."""
        if not self.chunks:
            return None
        line = next(self._lines(self.chunks[-1]))
        return Progress.unpack(line["progress"])

    def append(self, progress: Progress, lines: list[bytes]) -> None:
        """Commit a transaction with its progress and packed records.

        Raises:
            ReplayError: the object cannot be written.
        """
        name = self.next_name()
        head = b'{"progress":' + progress.pack() + b"}"
        packed = zlib.compress(b"\n".join((head, *lines)), level=1)
        self.storage.write(name, [packed])
        self.chunks.append(name)

    def next_name(self) -> str:
        """Return the object's name of the next transaction."""
        return chunk_name(len(self.chunks))

    def records(self, channel: Channel) -> Iterator[Record]:
        """Yield all records of a channel, oldest first.

        Raises:
            ReplayError: an object is damaged.
        """
        for name in self.chunks:
            for line in self._lines(name, _LETTERS[channel]):
                yield unpacked(line)

    def _lines(self, name: str, letter: str | None = None) -> Iterator[dict[str, Any]]:
        raw = self.storage.read(name)
        try:
            lines = zlib.decompress(raw or b"").split(b"\n")
            begins = lines[:1] if letter is None else lines[1:]
            wanted = b'{"c":"%b"' % letter.encode() if letter else b"{"
            for line in begins:
                if line.startswith(wanted):
                    yield json.loads(line)
        except (ValueError, zlib.error):
            raise ReplayError(self.storage.path(name), "is damaged") from None


def chunk_name(number: int) -> str:
    """Return the object's name of a lane's transaction, numbered from 0."""
    return f"{number:08d}.chunk"


def packed(channel: Channel, record: Record) -> bytes:
    """Return a record as a line of JSON; bytes that are not UTF-8 become base64."""
    at = record.position
    told: dict[str, Any] = {"c": _LETTERS[channel], "p": [at.topic, at.partition, at.offset]}
    told |= told_of(record)
    return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def told_of(record: Record) -> dict[str, Any]:
    """Return key, value and headers as columns; ``keyIsArray``, ``valueIsArray`` mark base64."""
    told: dict[str, Any] = {}
    for name, raw in (("key", record.key), ("value", record.value)):
        text, array = _text(raw)
        told[name] = text
        if array:
            told[f"{name}IsArray"] = True
    if record.headers:
        told["headers"] = [_header(name, value) for name, value in record.headers]
    return told


def _header(name: str, value: bytes) -> dict[str, Any]:
    text, array = _text(value)
    told: dict[str, Any] = {"key": name, "value": text}
    return told | {"valueIsArray": True} if array else told


def _text(raw: bytes | None) -> tuple[str | None, bool]:
    if raw is None:
        return None, False
    try:
        return raw.decode(), False
    except UnicodeDecodeError:
        return base64.b64encode(raw).decode(), True


def unpacked(line: dict[str, Any]) -> Record:
    """Return the record of a parsed line; inverse of `packed`."""
    topic, partition, offset = line["p"]
    headers = ((each["key"], _raw(each, "value") or b"") for each in line.get("headers", ()))
    return Record(
        _raw(line, "value"), Position(topic, partition, offset), _raw(line, "key"), tuple(headers)
    )


def _raw(line: dict[str, Any], name: str) -> bytes | None:
    text = line[name]
    if text is None:
        return None
    return base64.b64decode(text) if line.get(f"{name}IsArray") else str(text).encode()
