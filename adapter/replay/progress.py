"""The progress of a lane: next offset, and counts and digest of its outcomes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.sealing.quarantine import read_clear
from adapter.transports.protocol import Channel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adapter.types import Position, Record


@dataclass(slots=True)
class Progress:
    """The settled part of one lane.

    ``next`` is the offset after the last settled record; ``size`` is the bytes of released values.
    ``digest`` is a hash chain over all released records, independent of their transactions.
    """

    next: int = 0
    records: int = 0
    released: int = 0
    tombstones: int = 0
    size: int = 0
    held: dict[str, int] = field(default_factory=dict)
    digest: str = ""

    def copy(self) -> Progress:
        """Return an independent copy."""
        return Progress(**asdict(self))

    def sent(self, channel: Channel, record: Record) -> None:
        """Count a record sent to a channel."""
        match channel:
            case Channel.RELEASED:
                self.released += 1
                self.tombstones += record.value is None
                self.size += len(record.value or b"")
                chained = self.digest.encode() + released_digest(record)
                self.digest = hashlib.sha256(chained).hexdigest()
            case Channel.HELD:
                held = read_clear(record.value or b"")
                name = f"{held.stage}/{held.code}"
                self.held[name] = self.held.get(name, 0) + 1
            case Channel.AUDIT:
                self.records += 1

    def advance(self, position: Position) -> None:
        """Settle the records up to a position, inclusive."""
        self.next = position.offset + 1

    def pack(self) -> bytes:
        """Return the progress as JSON bytes with sorted members."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":")).encode()

    @classmethod
    def unpack(cls, raw: bytes | str | dict[str, Any]) -> Progress:
        """Return the progress that `pack` packed."""
        told = raw if isinstance(raw, dict) else json.loads(raw)
        return cls(**told)


def released_digest(record: Record) -> bytes:
    """Return the SHA-256 of a released record: key, value and headers, each with its length."""
    state = hashlib.sha256()
    headers = (part for name, value in record.headers for part in (name.encode(), value))
    for part in (record.key, record.value, *headers):
        length = -1 if part is None else len(part)
        state.update(length.to_bytes(8, "big", signed=True) + (part or b""))
    return state.digest()


def chained(digests: Iterable[str]) -> str:
    """Return one digest of several digests in order."""
    return hashlib.sha256("".join(digests).encode()).hexdigest()
