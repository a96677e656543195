"""The protocol of transports: lanes of records in order, and transactions that settle them.

A transport MUST deliver the records of one lane in order and MUST make everything sent within one
transaction visible together with the lane's progress, or not at all. When a transaction fails, or
its task dies at any point, the lane's records after the last committed position are delivered
again.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from contextlib import AbstractAsyncContextManager

    from adapter.types import Position, Record


class Channel(StrEnum):
    """The destination of a record."""

    RELEASED = "released"
    HELD = "held"
    AUDIT = "audit"
    STATE = "state"
    """Sealed patient memory; the last record of each key counts."""
    ESCROW = "escrow"


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a transaction failed: names from closed sets, and the operator's names."""

    error: str = ""
    """Type of the exception."""
    reason: str = ""
    """Kafka's or the system's name of the error (see `adapter.telemetry.error_names`)."""
    topic: str = ""
    resource: str = ""
    """The group or transactional id that the broker does not allow, as "group NAME"."""
    setting: str = ""
    """The setting that names the file or folder that cannot be used."""


class TransportError(Exception):
    """A transaction failed; ``code`` is one of the "transport" stage's."""

    stage = "transport"

    def __init__(self, code: str, cause: Cause = Cause()) -> None:
        super().__init__(f"transport/{code}")
        self.code = code
        self.cause = cause

    @property
    def fields(self) -> dict[str, str]:
        """Return code and cause as the fields of a log line."""
        return {"code": self.code} | {
            key: value for key, value in asdict(self.cause).items() if value
        }

    @property
    def described(self) -> str:
        """Return stage and code, the error's name, and the operator's name of what was refused."""
        cause = self.cause
        what = cause.resource or (f"topic {cause.topic}" if cause.topic else cause.setting)
        return ", ".join(filter(None, (str(self), cause.reason or cause.error, what)))


LASTING = frozenset({"no-topic", "forbidden", "offset-lost"})
"""Codes of failures that last until an operator acts."""


class RefusedError(TransportError):
    """The transport will never accept a record; nothing else failed."""


class Transaction(Protocol):
    """The effects of a batch, made visible together."""

    async def send(self, channel: Channel, record: Record) -> None:
        """Write a record; its ``position`` is that of its source record.

        Raises:
            RefusedError: the transport cannot carry the record; the transaction can continue.
        """

    async def advance(self, position: Position) -> None:
        """Settle the records of its partition up to and including ``position``."""


class Lane(Protocol):
    """One stream of input records, processed by one task at a time.

    Records of one partition are in order. If topics share a patient memory, a lane is a partition
    of each of them.
    """

    @property
    def name(self) -> str:
        """Return a name safe for logs and metrics: nothing in it comes from the data."""

    def state(self) -> AsyncIterator[Record]:
        """Yield the state records that this lane has committed, oldest first, after fencing."""

    def batches(self) -> AsyncIterator[Sequence[Record]]:
        """Yield records after the last settled one, in order; ends when drained or lost."""

    def transaction(self) -> AbstractAsyncContextManager[Transaction]:
        """Commit on leaving the block, abort on an exception.

        Raises:
            TransportError: the commit failed, or its outcome is unknown.
            RefusedError: the commit failed because of one record of the batch.
        """

    async def rewind(self) -> bool:
        """Return to the last settled position after a failure; return False if the lane is lost.

        Raises:
            TransportError: that cannot be done now.
        """

    async def close(self) -> None:
        """Release the lane's resources; called once, when its task ends."""


class Transport(Protocol):
    """Reads and writes records.

    ``one_feed``: its lanes follow one another, so each lane knows the patients of those before it.
    ``lasting_positions``: a position always names the same record, as the offset of a topic does; a
    file of the same name can have other messages tomorrow.
    """

    one_feed: bool
    lasting_positions: bool

    async def start(self) -> None:
        """Connect."""

    def lanes(self) -> AsyncIterator[Lane]:
        """Yield lanes as they are opened; ends when there will be no more."""

    def drain(self) -> None:
        """Take no further records; lanes end after the batches they have yielded."""

    async def stop(self) -> None:
        """Close all connections and files."""

    def public(self, topic: str) -> str:
        """Return a name of the topic that is safe for logs, metrics, audit and clear metadata."""

    def lag(self) -> dict[str, int]:
        """Return lane name -> number of unread records, as far as known."""

    def lacking(self) -> tuple[str, ...]:
        """Return what is missing to be ready, of "broker" and "lanes"; empty if ready."""


@runtime_checkable
class Pausable(Protocol):
    """A transport whose lanes can be paused."""

    def pause(self, name: str, *, paused: bool) -> None:
        """Pause or resume the lane with this name."""
