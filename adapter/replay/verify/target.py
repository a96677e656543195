"""A target that writes nothing, and compares each outcome with the message's published result."""

from __future__ import annotations

from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.replay.verify.published import Published, digests, message_id
from adapter.sealing.quarantine import read_clear
from adapter.transports.protocol import Channel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from adapter.replay.manifest import Account
    from adapter.replay.progress import Progress
    from adapter.replay.survey import LaneRange
    from adapter.types import Record

MOST_NAMED = 100
"""Maximum number of positions that a report names; all differences are counted."""


@dataclass(slots=True)
class VerifyTarget:
    """Counts equal outcomes, and counts and names differences."""

    published: Published = field(repr=False)
    against: str
    resumes = False
    same: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    places: list[str] = field(default_factory=list, repr=False)
    holds: Counter[str] = field(default_factory=Counter)
    _seen: set[bytes] = field(default_factory=set, repr=False)

    async def start(self) -> None:
        """Do nothing: there is no connection."""

    async def begun(self) -> None:
        """Return None: no plan is stored."""

    async def finished(self) -> None:
        """Return None: no manifest is stored."""

    async def settled(self) -> dict[str, Progress]:
        """Return {}: no progress is stored."""
        return {}

    async def begin(self, plan: dict[str, Any]) -> None:
        """Do nothing: no plan is stored."""

    def lane(self, _lane: LaneRange) -> VerifyLane:
        """Return a lane whose outcomes are compared."""
        return VerifyLane(self)

    def take(self, channel: Channel, record: Record) -> None:
        """Compare a settled outcome."""
        if channel is Channel.RELEASED:
            self._released(record)
        elif channel is Channel.HELD:
            self._held(record)

    def _released(self, record: Record) -> None:
        found = message_id(record) or b""
        theirs, ours = self.published.released.get(found), digests(record)
        self._seen.add(found)
        if theirs is None:
            self._wrong("not published", record)
        elif theirs == ours:
            self.same["released"] += 1
        else:
            self._wrong("bytes differ" if theirs[0] != ours[0] else "headers differ", record)

    def _held(self, record: Record) -> None:
        held = read_clear(record.value or b"")
        why = f"{held.stage}/{held.code}"
        self.holds[why] += 1
        if self.published.counts is not None:
            return
        theirs = self.published.held.get((held.topic, held.partition, held.offset))
        if theirs == why:
            self.same["held"] += 1
        else:
            self._wrong("held otherwise" if theirs else "not held then", record)

    def _wrong(self, why: str, record: Record) -> None:
        self.wrong[why] += 1
        if len(self.places) < MOST_NAMED:
            at = record.position
            self.places.append(f"{at.topic}-{at.partition} offset {at.offset}: {why}")

    async def finish(self, _account: Account) -> dict[str, Any]:
        """Return the report."""
        if self.published.counts is not None:
            self._counted(self.published.counts)
        others = len(self.published.released.keys() - self._seen)
        if others and self.published.counts is not None:
            self.wrong["published only"] = others
        return {
            "against": self.against,
            "same": dict(sorted(self.same.items())),
            "differences": dict(sorted(self.wrong.items())),
            "places": self.places,
            "outside": others,
        }

    def _counted(self, theirs: dict[str, int]) -> None:
        for why in sorted({*theirs, *self.holds}):
            self.same["held"] += min(self.holds[why], theirs.get(why, 0))
            if self.holds[why] != theirs.get(why, 0):
                self.wrong[f"held {why}"] = abs(self.holds[why] - theirs.get(why, 0))

    async def stop(self) -> None:
        """Do nothing: no resource is held."""


@dataclass(slots=True)
class VerifyLane:
    """A lane without stored progress."""

    target: VerifyTarget

    async def progress(self) -> None:
        """Return None: the lane always begins at its first record."""

    async def state(self) -> AsyncIterator[Record]:
        """Yield nothing: no state is stored."""
        return
        yield  # makes this an asynchronous generator, as the protocol requires

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[VerifyTransaction]:
        """Collect a batch's outcomes, and compare them on leaving the block."""
        transaction = VerifyTransaction()
        yield transaction
        for channel, record in transaction.sent:
            self.target.take(channel, record)

    async def close(self) -> None:
        """Do nothing: no resource is held."""


@dataclass(slots=True)
class VerifyTransaction:
    """The outcomes of a batch."""

    sent: list[tuple[Channel, Record]] = field(default_factory=list, repr=False)

    async def send(self, channel: Channel, record: Record) -> None:
        """Add an outcome."""
        self.sent.append((channel, record))

    async def settle(self, progress: Progress) -> None:
        """Do nothing: no progress is stored."""
