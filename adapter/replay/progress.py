"""How far a lane is, and the counts and digest of what came of it so far."""

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
    """Everything that was settled of one lane.

    ``next`` is the offset after the last settled record. ``digest`` is a chain over all released
    records, so it does not depend on how they were put into transactions.
    """

    next: int = 0
    records: int = 0
    released: int = 0
    tombstones: int = 0
    size: int = 0
    held: dict[str, int] = field(default_factory=dict)
    digest: str = ""

    def copy(self) -> Progress:
        """Return a copy, which can be advanced on its own."""
        return Progress(**asdict(self))

    def sent(self, channel: Channel, record: Record) -> None:
        """Count an outcome."""
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
        """Settle the records up to there."""
        self.next = position.offset + 1

    def pack(self) -> bytes:
        """As bytes, members sorted."""
        return json.dumps(asdict(self), sort_keys=True, separators=(",", ":")).encode()

    @classmethod
    def unpack(cls, raw: bytes | str | dict[str, Any]) -> Progress:
        """What `pack` packed."""
        told = raw if isinstance(raw, dict) else json.loads(raw)
        return cls(**told)


def released_digest(record: Record) -> bytes:
    """SHA-256 of a released record: key, value and headers, each with its length."""
    state = hashlib.sha256()
    headers = (part for name, value in record.headers for part in (name.encode(), value))
    for part in (record.key, record.value, *headers):
        length = -1 if part is None else len(part)
        state.update(length.to_bytes(8, "big", signed=True) + (part or b""))
    return state.digest()


def chained(digests: Iterable[str]) -> str:
    """One digest of several, in their order."""
    return hashlib.sha256("".join(digests).encode()).hexdigest()
