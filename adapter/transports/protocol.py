"""What a transport is: lanes of records in order, and transactions that settle them.

A transport MUST give the records of one lane in order and MUST make everything sent within one
transaction visible together with the lane's progress, or not at all. When a transaction fails, or
its task dies at any point, the lane's records after the last committed position come again.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from contextlib import AbstractAsyncContextManager

    from adapter.types import Position, Record


class Channel(StrEnum):
    """Where a record goes."""

    RELEASED = "released"
    HELD = "held"
    AUDIT = "audit"
    STATE = "state"
    """Sealed records of what is known of patients, by name of the record's key; the last counts."""
    ESCROW = "escrow"


@dataclass(frozen=True, slots=True)
class Cause:
    """What made a transaction fail: names from closed sets, and the operator's own of topics."""

    error: str = ""
    """Type of the exception."""
    reason: str = ""
    """What Kafka or the system calls it, as `adapter.telemetry.error_names` says."""
    topic: str = ""


class TransportError(Exception):
    """A transaction that did not happen; ``code`` is one of the "transport" stage's."""

    stage = "transport"

    def __init__(self, code: str, cause: Cause = Cause()) -> None:
        super().__init__(f"transport/{code}")
        self.code = code
        self.cause = cause


class RefusedError(TransportError):
    """A record that the transport will never take; nothing else was wrong."""


class Transaction(Protocol):
    """Everything that happens to a batch, made visible at once."""

    async def send(self, channel: Channel, record: Record) -> None:
        """Write a record; its ``position`` is that of the source record it came from.

        Raises:
            RefusedError: the transport cannot carry it; the transaction can go on without it.
        """

    async def advance(self, position: Position) -> None:
        """Settle the records of its partition up to and including ``position``."""


class Lane(Protocol):
    """One stream of input records, worked on by one task at a time.

    Those of one partition are in order. Where topics share a patient memory, a lane is a partition
    of each of them.
    """

    @property
    def name(self) -> str:
        """A name fit for logs and metrics: it holds nothing that came with the data."""

    def state(self) -> AsyncIterator[Record]:
        """What transactions of this lane have sent to the state, oldest first; after fencing."""

    def batches(self) -> AsyncIterator[Sequence[Record]]:
        """Records after the last settled one, in order; ends when the lane is drained or lost."""

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """Commit on leaving the block, abort on an exception.

        Raises:
            TransportError: the commit did not happen, or nobody can say whether it did.
            RefusedError: it did not, and a record of the batch was the reason.
        """

    async def rewind(self) -> bool:
        """Return to the last settled position after a failure; False when the lane is lost.

        Raises:
            TransportError: that cannot be done now.
        """

    async def close(self) -> None:
        """Give up what the lane holds; called once, when its task ends."""


class Transport(Protocol):
    """Where records come from and go to.

    ``one_feed`` says that its lanes follow one another: what one teaches is known in the next.
    ``lasting_positions`` says that a position names the same record for ever, as the offset of a
    topic does; a file of the same name may hold other messages tomorrow.
    """

    one_feed: bool
    lasting_positions: bool

    async def start(self) -> None:
        """Connect."""

    def lanes(self) -> AsyncIterator[Lane]:
        """Lanes as they are opened; ends when there will be no more."""

    def drain(self) -> None:
        """Take no further records: lanes end after what they have given out."""

    async def stop(self) -> None:
        """Let go of everything."""

    def public(self, topic: str) -> str:
        """A name for the topic that is fit for logs, metrics, audit and clear metadata."""

    def lag(self) -> dict[str, int]:
        """Records not yet read, by lane name, as far as known."""

    def lacking(self) -> tuple[str, ...]:
        """What it lacks to be at work, of "broker" and "lanes"; nothing where it needs neither."""


@runtime_checkable
class Pausable(Protocol):
    """A transport whose lanes can be paused."""

    def pause(self, name: str, *, paused: bool) -> None:
        """Give out no further batch of the lane of that name, or begin again."""
