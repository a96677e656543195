"""Retries held records: the quarantine as a transport whose records are the originals.

Each envelope is opened and its record processed again by the current rules. One transaction
releases the record, or holds it again with one more attempt, and settles its envelope. Envelopes
that are not selected, cannot be opened or were tried too often are carried over unchanged.
"""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.runtime.quarantine.carrying import carried
from adapter.runtime.quarantine.entries import digest
from adapter.sealing.box import SealError
from adapter.transports.protocol import Channel

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from adapter.sealing.quarantine import Held, Sealer
    from adapter.transports.protocol import Lane, Transaction, Transport
    from adapter.types import Position, Record


@dataclass(frozen=True, slots=True)
class Plan:
    """Digests of the envelopes to retry, and of earlier ones of their messages to settle."""

    chosen: frozenset[bytes] = field(repr=False)
    superseded: frozenset[bytes] = field(default=frozenset(), repr=False)


class RetryTransport:
    """Opens the envelopes of another transport; pass :meth:`earlier` to the runner.

    Without a plan, all envelopes are retried.
    """

    def __init__(
        self,
        inner: Transport,
        sealer: Sealer,
        max_attempts: float,
        template: str,
        plan: Plan | None = None,
    ) -> None:
        self.inner = inner
        self.sealer = sealer
        self.plan = plan
        self.one_feed = inner.one_feed
        self.lasting_positions = inner.lasting_positions
        self.max_attempts = max_attempts
        self.template = template
        self.carried = 0
        self._held: dict[Position, Held] = {}
        self._names: dict[str, str] = {}

    async def start(self) -> None:
        """Start the quarantine's transport."""
        await self.inner.start()

    async def lanes(self) -> AsyncIterator[RetryLane]:
        """Yield the quarantine's lanes as lanes of originals."""
        async for lane in self.inner.lanes():
            yield RetryLane(self, lane)

    def drain(self) -> None:
        """Stop taking envelopes."""
        self.inner.drain()

    async def stop(self) -> None:
        """Stop the quarantine's transport."""
        await self.inner.stop()

    def public(self, topic: str) -> str:
        """Return the name under which the topic was held."""
        return self._names.get(topic, topic)

    def lag(self) -> dict[str, int]:
        """Return the number of envelopes not read yet."""
        return self.inner.lag()

    def superseded(self, envelope: Record) -> bool:
        """Return whether an envelope is settled together with a later one of the same message."""
        return self.plan is not None and digest(envelope.value) in self.plan.superseded

    def lacking(self) -> tuple[str, ...]:
        """Return what the quarantine's transport lacks."""
        return self.inner.lacking()

    def open(self, envelope: Record) -> Record | None:
        """Return the original record, or None if the envelope is to be carried over."""
        if self.plan is not None and digest(envelope.value) not in self.plan.chosen:
            return None
        try:
            held, original = self.sealer.open(envelope.value or b"")
        except SealError:
            return None
        if held.attempts >= self.max_attempts:
            return None
        self._held[original.position] = held
        self._names[original.position.topic] = held.topic
        return original

    def earlier(self, position: Position) -> Held | None:
        """Return how the record was held before, or None."""
        return self._held.get(position)


@dataclass(slots=True)
class RetryLane:
    """A lane of envelopes that yields the originals."""

    transport: RetryTransport
    inner: Lane
    sources: dict[Position, Position] = field(default_factory=dict)
    """Position of an original -> position in the quarantine up to which settling it settles."""
    carry: list[Record] = field(default_factory=list, repr=False)
    _given: Position | None = None
    _settled: Position | None = None
    _progress: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def name(self) -> str:
        """The name of the quarantine's lane."""
        return self.inner.name

    async def state(self) -> AsyncIterator[Record]:
        """Yield the state records of the quarantine's lane."""
        async for record in self.inner.state():
            yield record

    async def batches(self) -> AsyncIterator[Sequence[Record]]:
        """Yield batches of originals; a batch without originals is carried over.

        Carrying over waits until all yielded batches are settled: progress must never overtake
        them.
        """
        async for batch in self.inner.batches():
            originals = self._opened(batch)
            if originals:
                self._given = originals[-1].position
                yield originals
            else:
                while self._settled != self._given:
                    self._progress.clear()
                    await self._progress.wait()
                async with self.inner.transaction() as transaction:
                    await self.carry_over(transaction, batch[-1].position)

    def _opened(self, batch: Sequence[Record]) -> Sequence[Record]:
        originals: list[Record] = []
        for envelope in batch:
            if self.transport.superseded(envelope):
                continue
            original = self.transport.open(envelope)
            if original is None:
                self.carry.append(envelope)
            else:
                originals.append(original)
                self.sources[original.position] = envelope.position
        if originals:
            self.sources[originals[-1].position] = batch[-1].position
        return originals

    async def carry_over(self, transaction: Transaction, upto: Position) -> None:
        """Carry over the unopened envelopes up to a position, and settle up to it."""
        for envelope in [e for e in self.carry if e.position.offset <= upto.offset]:
            await transaction.send(Channel.HELD, carried(envelope, self.transport.template))
            self.carry.remove(envelope)
            self.transport.carried += 1
        await transaction.advance(upto)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[RetryTransaction]:
        """Open a transaction of the quarantine's lane that accepts positions of originals."""
        async with self.inner.transaction() as inner:
            transaction = RetryTransaction(self, inner)
            yield transaction
        self._settled = transaction.upto
        self._progress.set()

    async def rewind(self) -> bool:
        """Return to the last settled envelope."""
        self.sources.clear()
        self.carry.clear()
        self._given = self._settled = None
        return await self.inner.rewind()

    async def close(self) -> None:
        """Close the quarantine lane."""
        await self.inner.close()


@dataclass(slots=True)
class RetryTransaction:
    """Sends through the inner transaction, and settles the envelopes of originals."""

    lane: RetryLane
    inner: Transaction
    upto: Position | None = None

    async def send(self, channel: Channel, record: Record) -> None:
        """Send a record, except patient memory, which was kept when the message was held."""
        if channel is not Channel.STATE:
            await self.inner.send(channel, record)

    async def advance(self, position: Position) -> None:
        """Settle the envelope of an original, and carry over those before it."""
        self.upto = position
        await self.lane.carry_over(self.inner, self.lane.sources.pop(position))
