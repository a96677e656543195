"""Envelopes of held records, which can be read only with the quarantine's key.

An envelope is one JSON object. Its clear fields are the reason and place (stage, code,
coordinates), the ruleset that held the record, the time and the number of attempts. The record's
value, key, headers, timestamp and true topic are sealed with AES-256-GCM (NIST SP 800-38D), under a
fresh 96-bit nonce and with the clear fields as associated data, so opening fails if one of these
was changed.
"""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adapter.sealing.box import SealError, SealingKeys, decrypt, encrypt
from adapter.transports.files.disk import removed_on_failure
from adapter.types import Position, Record

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

VERSION = 1


@dataclass(frozen=True, slots=True)
class Held:
    """The clear part of an envelope."""

    stage: str
    code: str
    topic: str
    partition: int
    offset: int
    time_ms: int
    attempts: int = 1
    ruleset: str = ""
    format: str = ""
    key_id: str = ""
    payload: bool = True
    """False if the record was too large even for the quarantine and is at its source only."""
    id: str = ""
    """Id of the message, the same however often it is held; "" in older envelopes."""

    def fields(self) -> dict[str, Any]:
        """Return the fields as written, in a fixed order: also the seal's associated data."""
        fields = {"v": VERSION} | {name: getattr(self, name) for name in _HELD_FIELDS}
        if not self.id:  # older envelopes are sealed without the id
            del fields["id"]
        return fields


_HELD_FIELDS = tuple(Held.__dataclass_fields__)
_MOST = (1 << 63) - 1
_NUMBERS = {"partition": _MOST, "offset": _MOST, "attempts": _MOST, "time_ms": 253_402_300_799_999}
"""The largest valid number of each field; ``time_ms`` ends with the year 9999."""


@dataclass(frozen=True, slots=True)
class Sealer(SealingKeys):
    """Seals with one key and opens with any; a key is 32 bytes, by id."""

    def seal(self, record: Record, held: Held) -> bytes:
        """Return an envelope with the sealed record."""
        held = _with_key(held, self.key_id)
        nonce, secret = encrypt(self.secret(held.key_id), pack(record), _bound(held))
        return _json(held.fields() | {"nonce": _base64(nonce), "payload": _base64(secret)})

    def open(self, envelope: bytes) -> tuple[Held, Record]:
        """Return the clear part, and the record as it was read.

        Raises:
            SealError: it is not an envelope, its key is unknown or destroyed, a field was changed,
                or it has no payload.
        """
        fields = _parsed(envelope)
        held = _held(fields)
        if not held.payload:
            raise SealError("no payload")
        key = self.secret(held.key_id)
        try:
            nonce, secret = (base64.b64decode(fields[n]) for n in ("nonce", "payload"))
        except (KeyError, TypeError, ValueError):
            raise SealError("seal is broken") from None
        plain = decrypt(key, nonce, secret, _bound(held))
        return held, unpack(plain, held.partition, held.offset)


def without_payload(held: Held) -> bytes:
    """Return an envelope without the record, for a record that is too large for the quarantine."""
    fields = held.fields() | {"payload": False, "key_id": ""}
    return _json(fields)


def read_clear(envelope: bytes) -> Held:
    """Return the clear part, for which no key is needed.

    Raises:
        SealError: it is not an envelope.
    """
    return _held(_parsed(envelope))


def _with_key(held: Held, key_id: str) -> Held:
    return Held(**{name: getattr(held, name) for name in _HELD_FIELDS} | {"key_id": key_id})


def _parsed(envelope: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(envelope)
    except (ValueError, RecursionError):
        raise SealError("not an envelope") from None
    if not isinstance(fields, dict) or fields.get("v") != VERSION:
        raise SealError("not an envelope of this version")
    return fields


def _held(fields: dict[str, Any]) -> Held:
    clear = {name: fields[name] for name in _HELD_FIELDS if name in fields}
    clear["payload"] = fields.get("payload") is not False
    if not all(_is_valid(name, value) for name, value in clear.items()):
        raise SealError("not an envelope")
    try:
        return Held(**clear)
    except TypeError:
        raise SealError("not an envelope") from None


def _is_valid(name: str, value: object) -> bool:
    """Return whether a clear field is valid; anybody who writes to the quarantine can forge it."""
    if name == "payload":
        return isinstance(value, bool)
    if name in _NUMBERS:
        return type(value) is int and 0 <= value <= _NUMBERS[name]
    return isinstance(value, str)


def _bound(held: Held) -> bytes:
    return _json(held.fields())


def _json(fields: object) -> bytes:
    return json.dumps(fields, separators=(",", ":")).encode()


def _base64(raw: bytes | None) -> str | None:
    return None if raw is None else base64.b64encode(raw).decode()


def pack(record: Record) -> bytes:
    """Return the record as a header line and its value, compressed (zlib)."""
    header = {
        "topic": record.position.topic,
        "key": _base64(record.key),
        "headers": [(name, _base64(value)) for name, value in record.headers],
        "timestamp": record.timestamp,
        "tombstone": record.value is None,
    }
    return zlib.compress(_json(header) + b"\n" + (record.value or b""), level=1)


def unpack(plain: bytes, partition: int, offset: int) -> Record:
    """Return the record that `pack` packed, with its place in its topic."""
    line, _, value = zlib.decompress(plain).partition(b"\n")
    header = json.loads(line)
    return Record(
        value=None if header["tombstone"] else value,
        position=Position(header["topic"], partition, offset),
        key=None if header["key"] is None else base64.b64decode(header["key"]),
        headers=tuple((name, base64.b64decode(raw)) for name, raw in header["headers"]),
        timestamp=header["timestamp"],
    )


SUFFIX = ".held"
"""File name suffix of held records."""


@dataclass(frozen=True, slots=True)
class Folder:
    """A quarantine folder: one envelope per file, named by public coordinates."""

    path: Path

    def write(self, envelope: bytes) -> None:
        """Add or replace an envelope, atomically.

        Raises:
            OSError: it cannot be written, such as to a full disk; an older one is unchanged.
        """
        self.path.mkdir(parents=True, exist_ok=True)
        target = self.path / file_name(read_clear(envelope))
        new = target.with_suffix(".new")
        with removed_on_failure(new):
            new.write_bytes(envelope)
            new.replace(target)

    def names(self) -> list[str]:
        """Return the names of the held records, in order of their coordinates."""
        return sorted(file.name for file in self.path.glob(f"*{SUFFIX}"))

    def read(self, name: str) -> bytes:
        """Return the envelope with a name.

        Raises:
            SealError: there is no such envelope.
        """
        return self._file(name).read_bytes()

    def remove(self, name: str) -> None:
        """Delete a held record."""
        self._file(name).unlink()

    def _file(self, name: str) -> Path:
        """Return the file of a held record; SealError unless it is one in this folder."""
        file = self.path / name
        if file.suffix != SUFFIX or file.parent != self.path or not file.is_file():
            raise SealError("no such held record")
        return file

    def entries(self) -> Iterator[tuple[str, Held]]:
        """Yield the name and clear part of every held record."""
        for name in self.names():
            yield name, read_clear(self.read(name))


def file_name(held: Held) -> str:
    """Return a file name of public coordinates and time, so that runs do not collide."""
    return f"{held.topic}-{held.partition}-{held.offset:012d}-{held.time_ms}{SUFFIX}"
