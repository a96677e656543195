"""The protocols of sources and targets of replays.

A source MUST give the records of a lane in order of their offsets, and the same records each time
it is asked from the same offset. A target MUST make everything of one transaction visible together
with the lane's progress, or nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Sequence
    from contextlib import AbstractAsyncContextManager

    from adapter.replay.manifest import Account
    from adapter.replay.progress import Progress
    from adapter.replay.survey import LaneRange, Survey
    from adapter.transports.protocol import Channel
    from adapter.types import Record


class Source(Protocol):
    """A source of records to replay."""

    async def survey(self, watch: Callable[[int, int], None]) -> Survey:
        """Survey the source and fix its end; ``watch`` is called with (done, all).

        Raises:
            ReplayError: the source cannot be read, or not with these settings.
        """

    def fix(self, plan: dict[str, Any]) -> None:
        """Use the end in the plan of the run to be resumed; called before the survey."""

    def batches(self, lane: LaneRange, start: int) -> AsyncIterator[Sequence[Record]]:
        """Yield a lane's records from an offset on, in order.

        Raises:
            ReplayError: the lane cannot be read any more, or has changed since the survey.
        """

    async def stop(self) -> None:
        """Release all resources."""


class TargetTransaction(Protocol):
    """The outcomes of a batch, made visible atomically."""

    async def send(self, channel: Channel, record: Record) -> None:
        """Write a record, as in `adapter.transports.protocol.Transaction`."""

    async def settle(self, progress: Progress) -> None:
        """Write the lane's progress."""


class TargetLane(Protocol):
    """The output of one lane of the source."""

    async def progress(self) -> Progress | None:
        """Fence earlier writers and return the committed progress, or None if there is none.

        Raises:
            TransportError: the target does not answer now.
        """

    def state(self) -> AsyncIterator[Record]:
        """Yield the records that its transactions sent to the state channel, oldest first."""

    def transaction(self) -> AbstractAsyncContextManager[TargetTransaction]:
        """Return a transaction: commit on leaving the block, abort on an exception."""

    async def close(self) -> None:
        """Release the lane's resources."""


class Target(Protocol):
    """A target of outcomes."""

    resumes: bool
    """Whether the patient state can be restored together with the progress."""

    async def start(self) -> None:
        """Connect.

        Raises:
            ReplayError: the target cannot be written to.
        """

    async def begun(self) -> dict[str, Any] | None:
        """Return the plan written by `begin`, or None."""

    async def finished(self) -> dict[str, Any] | None:
        """Return the manifest if the replay finished before, else None."""

    async def settled(self) -> dict[str, Progress]:
        """Return the progress by lane, without fencing, to show how much is left."""

    async def begin(self, plan: dict[str, Any]) -> None:
        """Begin with a plan, and remove what earlier replays of the same name left."""

    def lane(self, lane: LaneRange) -> TargetLane:
        """Return a lane to write to."""

    async def finish(self, account: Account) -> dict[str, Any]:
        """Complete the output with its manifest; return the manifest's part on the output."""

    async def stop(self) -> None:
        """Release all resources."""
