"""Where released records come from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from adapter.mart.store.protocol import Lane
    from adapter.mart.versions import Released


@dataclass(frozen=True, slots=True)
class Batch:
    """Records of one lane in order; ``next_offset`` is where the lane goes on behind them."""

    lane: Lane
    records: tuple[Released, ...] = field(repr=False)
    next_offset: int


class Source(Protocol):
    """A feed of released records."""

    async def lanes(self) -> Sequence[Lane]:
        """Connect; every lane there is.

        Raises:
            RuleError: what the settings name is not there, or is not what it should be.
        """

    def batches(self, start: Mapping[Lane, int | None]) -> AsyncIterator[Batch | None]:
        """Batches from the offsets given, None being a lane's first; None when all is read so far.

        It ends where the feed ends, if it does.
        """

    async def close(self) -> None:
        """Disconnect."""
