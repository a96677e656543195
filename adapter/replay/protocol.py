"""What sources and targets of replays are.

A source MUST give the records of one lane in the order of their offsets, and the same ones each
time it is asked from the same offset. A target MUST make everything of one transaction visible
together with the lane's progress, or not at all.
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
    """Where records are read again."""

    async def survey(self, watch: Callable[[int, int], None]) -> Survey:
        """Look at all of it, fixing its end; ``watch`` is told how much of how much is seen.

        Raises:
            ReplayError: it cannot be read, or not by these settings.
        """

    def fix(self, plan: dict[str, Any]) -> None:
        """End where the plan of the run to be resumed says; called before the survey."""

    def batches(self, lane: LaneRange, start: int) -> AsyncIterator[Sequence[Record]]:
        """A lane's records from an offset on, in order.

        Raises:
            ReplayError: it cannot be read any more, or is not what the survey saw.
        """

    async def stop(self) -> None:
        """Let go of everything."""


class TargetTransaction(Protocol):
    """What comes of a batch, made visible at once."""

    async def send(self, channel: Channel, record: Record) -> None:
        """Write a record, as `adapter.transports.protocol.Transaction` has it."""

    async def settle(self, progress: Progress) -> None:
        """Write the lane's progress."""


class TargetLane(Protocol):
    """What one lane of the source becomes."""

    async def progress(self) -> Progress | None:
        """How far it was committed, after fencing whoever wrote before; None: not begun.

        Raises:
            TransportError: that cannot be done now.
        """

    def state(self) -> AsyncIterator[Record]:
        """What its transactions have sent to the state, oldest first."""

    def transaction(self) -> AbstractAsyncContextManager[TargetTransaction]:
        """Commit on leaving the block, abort on an exception."""

    async def close(self) -> None:
        """Release its resources."""


class Target(Protocol):
    """Where outcomes go."""

    resumes: bool
    """Whether what is known of patients comes back with the progress."""

    async def start(self) -> None:
        """Connect.

        Raises:
            ReplayError: it cannot be written to.
        """

    async def begun(self) -> dict[str, Any] | None:
        """What was written by `begin`; None where nothing was."""

    async def finished(self) -> dict[str, Any] | None:
        """The manifest, if the replay has come to its end before."""

    async def settled(self) -> dict[str, Progress]:
        """Progress by lane, without fencing; to show how much is left."""

    async def begin(self, plan: dict[str, Any]) -> None:
        """Begin anew by a plan: what an earlier replay of the name left is gone."""

    def lane(self, lane: LaneRange) -> TargetLane:
        """A lane to write to."""

    async def finish(self, account: Account) -> dict[str, Any]:
        """Put the output of all lanes in place with the manifest; what it says of the output."""

    async def stop(self) -> None:
        """Let go of everything."""
