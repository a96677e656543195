"""The quarantine's entries, their states, and the operator's selection of them."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from adapter.errors import is_transient
from adapter.sealing.box import SealError
from adapter.sealing.quarantine import read_clear

if TYPE_CHECKING:
    from collections.abc import AsyncIterable, Callable, Collection, Iterable

    from adapter.sealing.quarantine import Held


class State(StrEnum):
    """The state of an envelope, as operators see it."""

    HELD = "held"
    SUPERSEDED = "superseded"
    """The message was held again in a later envelope."""
    RELEASED = "released"
    """The message was released by a later run."""
    UNREADABLE = "unreadable"
    """The record is not an envelope, or its seal is broken."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One envelope: its place, its SHA-256, its clear part (None if unreadable), and its state."""

    place: str = field(repr=False)
    digest: bytes
    held: Held | None
    state: State = State.HELD

    @property
    def name(self) -> str:
        """The message's id, or the place of an envelope without one."""
        return (self.held.id if self.held else "") or self.place

    def as_dict(self) -> dict[str, Any]:
        """Return the clear fields as a JSON-serializable dict."""
        clear = asdict(self.held) if self.held else {}
        clear.pop("id", None)
        transient = self.held is not None and is_transient(self.held.stage, self.held.code)
        named = {"name": self.name, "state": self.state.value, "place": self.place}
        return {**named, **clear, "transient": transient}


@dataclass(frozen=True, slots=True)
class Selection:
    """A selection of held messages; an empty field selects any. Times are ms since the epoch.

    ``codes`` are codes or "stage/code"; ``until_ms`` is not included.
    """

    names: frozenset[str] = field(default=frozenset(), repr=False)
    stages: frozenset[str] = frozenset()
    codes: frozenset[str] = frozenset()
    topics: frozenset[str] = frozenset()
    since_ms: int | None = None
    until_ms: int | None = None
    transient: bool = False

    def has(self, entry: Entry) -> bool:
        """Return whether an entry is selected; an unreadable one only by name or if all are."""
        if self.names and not self.names & {entry.name, entry.place}:
            return False
        if entry.held is None:
            return bool(self.names) or self == Selection()
        return self._describes(entry.held)

    def _describes(self, held: Held) -> bool:
        return (
            _allows(self.stages, held.stage)
            and (not self.codes or not self.codes.isdisjoint(_codes(held)))
            and _allows(self.topics, held.topic)
            and (self.since_ms is None or held.time_ms >= self.since_ms)
            and (self.until_ms is None or held.time_ms < self.until_ms)
            and (not self.transient or is_transient(held.stage, held.code))
        )

    def unknown(self, entries: Iterable[Entry]) -> list[str]:
        """Return the names that no entry has."""
        return sorted(self.names.difference(*({e.name, e.place} for e in entries)))


def _allows(values: Collection[str], value: str) -> bool:
    return not values or value in values


def _codes(held: Held) -> tuple[str, str]:
    return held.code, f"{held.stage}/{held.code}"


def digest(envelope: bytes | None) -> bytes:
    """Return the SHA-256 of an envelope, which is unique because of its nonce."""
    return hashlib.sha256(envelope or b"").digest()


async def entries(
    envelopes: AsyncIterable[tuple[str, bytes]],
    released: Callable[[Collection[str]], Collection[str]],
    opens: Callable[[bytes], bool] = lambda _envelope: True,
) -> list[Entry]:
    """Return all envelopes in order, with at most one current envelope of each message.

    The current envelope is a message's last one for which ``opens`` is true, else its first one.
    ``released`` returns those of some ids whose messages have been released.
    """
    found: list[Entry] = []
    current: dict[str, int] = {}
    async for place, envelope in envelopes:
        entry = _entry(place, envelope)
        earlier = current.get(entry.name)
        if earlier is not None and not opens(envelope):
            entry = replace(entry, state=State.UNREADABLE)
        elif earlier is not None:
            found[earlier] = replace(found[earlier], state=State.SUPERSEDED)
        if entry.state is State.HELD:
            current[entry.name] = len(found)
        found.append(entry)
    for name in released(current.keys()):
        found[current[name]] = replace(found[current[name]], state=State.RELEASED)
    return found


def _entry(place: str, envelope: bytes) -> Entry:
    try:
        return Entry(place, digest(envelope), read_clear(envelope))
    except SealError:
        return Entry(place, digest(envelope), None, State.UNREADABLE)
