"""The protocol of a source of released records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping, Sequence

    from adapter.mart.store.protocol import Lane
    from adapter.mart.versions import Released


@dataclass(frozen=True, slots=True)
class Batch:
    """Records of one lane in order; ``next_offset`` is the offset after the last of them."""

    lane: Lane
    records: tuple[Released, ...] = field(repr=False)
    next_offset: int


class Source(Protocol):
    """A feed of released records."""

    async def lanes(self) -> Sequence[Lane]:
        """Connect, and return every lane.

        Raises:
            RuleError: a topic, folder or file of the settings is missing or invalid.
        """

    def batches(self, start: Mapping[Lane, int | None]) -> AsyncIterator[Batch | None]:
        """Yield batches from the given offsets (None: the first), and None when it has caught up.

        The iterator ends when the feed ends.
        """

    async def close(self) -> None:
        """Disconnect."""
