"""The objects of an archive, and the records of an object with their coordinates."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from adapter.replay.archive.compression import DAMAGED
from adapter.replay.archive.formats import FORMATS, rows
from adapter.replay.archive.layouts import Reader, Row, headers, texts
from adapter.replay.archive.names import NAMES, Named, Part, hidden
from adapter.replay.errors import ReplayError, at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adapter.config.replay import ReplaySource
    from adapter.replay.storage import Storage, Stored

Lane = tuple[str, int]
"""(topic, partition)."""
NAMELESS = "archive"
"""Topic of messages whose topic is unknown."""
_BLOCK = 1 << 20
_NAMED_LAYOUTS = frozenset({"confluent", "aiven"})


@dataclass(frozen=True, slots=True)
class Object:
    """An object with records, and the separate objects with their keys and headers, or None."""

    stored: Stored
    named: Named
    keys: Stored | None = None
    headers: Stored | None = None

    @property
    def parts(self) -> tuple[Stored, ...]:
        """The stored objects of which this one consists."""
        return tuple(part for part in (self.stored, self.keys, self.headers) if part)


@dataclass(frozen=True, slots=True)
class Placed:
    """A record of an object: its lane, its row number from 0, and its row."""

    lane: Lane
    number: int
    row: Row = field(repr=False)


def objects(storage: Storage, source: ReplaySource) -> list[Object]:
    """Return the objects with records, in order of names.

    Raises:
        ReplayError: there are no objects, or an object's name does not fit the layout.
    """
    parts: dict[tuple[str, Part], Stored] = {}
    found: list[tuple[Stored, Named]] = []
    for stored in storage.objects():
        if hidden(stored.name):
            continue
        named = NAMES[source.layout](stored.name)
        if named is None or (named.topic is None and source.layout in _NAMED_LAYOUTS):
            raise ReplayError(
                stored.name, f"does not have a name as layout {source.layout} gives objects"
            )
        parts[named.stem, named.part] = stored
        if named.part in {Part.RECORDS, Part.TOMBSTONES}:
            found.append((stored, named))
    if not found:
        raise ReplayError(storage.root, "holds no objects")
    return [
        Object(s, n, parts.get((n.stem, Part.KEYS)), parts.get((n.stem, Part.HEADERS)))
        if n.stem and n.part is Part.RECORDS
        else Object(s, n)
        for s, n in found
        if not source.topics or n.topic is None or n.topic in source.topics
    ]


def records(
    storage: Storage, obj: Object, reader: Reader, hashes: dict[str, Any]
) -> Iterator[Placed]:
    """Yield the records of an object; add the digests of fully read objects to ``hashes``.

    Raises:
        ReplayError: the object is damaged, or its parts have different numbers of rows.
    """
    name, named = obj.stored.name, obj.named
    main = _rows(storage, obj.stored, reader, hashes)
    if named.part is Part.TOMBSTONES:
        for number, key in enumerate(texts(main, reader, name)):
            yield _placed(reader, named, number, Row(None, key))
        return
    keys = headed = None
    if obj.keys:
        keys = texts(_rows(storage, obj.keys, reader, hashes), reader, obj.keys.name)
    if obj.headers:
        headed = headers(_rows(storage, obj.headers, reader, hashes), reader, obj.headers.name)
    number = -1
    for number, raw in enumerate(main):
        row = reader.row(raw, at(name, number + 1))
        if keys is not None or headed is not None:
            row = _with_parts(row, keys, headed, at(name, number + 1))
        yield _placed(reader, named, number, row)
    for rest, part in ((keys, obj.keys), (headed, obj.headers)):
        if rest is not None and part is not None and next(rest, _END) is not _END:
            raise ReplayError(at(part.name, number + 2), f"has more rows than {name}")


_END: Any = object()


def _with_parts(row: Row, keys: Any, headed: Any, place: str) -> Row:
    key = row.key if keys is None else next(keys, _END)
    own = row.headers if headed is None else next(headed, _END)
    if key is _END or own is _END:
        raise ReplayError(place, "has no key or headers in the object beside it")
    return replace(row, key=key, headers=own)


def _placed(reader: Reader, named: Named, number: int, row: Row) -> Placed:
    topics = reader.source.topics
    topic = row.topic or named.topic or (topics[0] if topics else NAMELESS)
    partition = row.partition if row.partition is not None else named.partition or 0
    return Placed((topic, partition), number, row)


def _rows(
    storage: Storage, stored: Stored, reader: Reader, hashes: dict[str, Any]
) -> Iterator[Any]:
    """Yield the rows of a stored object; for a reader that seeks, it is hashed beforehand."""
    if storage.stored(stored.name).version != stored.version:
        raise ReplayError(stored.name, "has changed since it was listed")
    with storage.open(stored.name) as raw:
        stream = Hashing(raw)
        if FORMATS[reader.source.format].seeks:
            stream.drain(stored.name)
            hashes[stored.name] = stream.digest
            raw.seek(0)
            yield from rows(raw, stored.name, reader.source)
            return
        yield from rows(cast("BinaryIO", stream), stored.name, reader.source)
        stream.drain(stored.name)
        hashes[stored.name] = stream.digest


class Hashing(io.RawIOBase):
    """A stream that hashes its bytes when they are first read."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.digest = hashlib.sha256()
        self._at = 0
        self._hashed = 0

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True."""
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        """Seek; bytes that were read before are not hashed again."""
        self._at = self._stream.seek(offset, whence)
        return self._at

    def read(self, size: int = -1) -> bytes:
        """Read and hash at most ``size`` bytes, all if -1."""
        block = self._stream.read(size)
        fresh = self._at + len(block) - self._hashed
        if fresh > 0:
            self.digest.update(block[-fresh:])
            self._hashed += fresh
        self._at += len(block)
        return block

    def readinto(self, buffer: Any) -> int:
        """Read into a buffer and hash; return the number of bytes."""
        block = self.read(len(buffer))
        buffer[: len(block)] = block
        return len(block)

    def drain(self, name: str) -> None:
        """Read and hash the rest.

        Raises:
            ReplayError: the object cannot be read.
        """
        try:
            while self.read(_BLOCK):
                pass
        except (OSError, *DAMAGED) as error:
            raise ReplayError(name, f"cannot be read ({type(error).__name__})") from None
