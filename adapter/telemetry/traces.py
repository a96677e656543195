"""What a runner tells of its batches to whoever traces them: coordinates, counts, codes, times."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adapter.types import Processed, Record


@dataclass(frozen=True, slots=True)
class Settled:
    """A batch after its commit, and its outcomes; times are monotonic, in seconds."""

    batch: Sequence[Record] = field(repr=False)
    outcomes: Sequence[Processed] = field(repr=False)
    begun: float
    """Handed to the workers."""
    ready: float
    """Back from the workers."""
    ruleset: str


class Traces(Protocol):
    """Whoever traces batches; it may neither fail nor wait."""

    def settled(self, lane: str, done: Settled, public: Callable[[str], str]) -> None:
        """Take note of a batch; ``public`` gives topics the names that may be shown."""

    def failed(self, lane: str, code: str, attempt: int) -> None:
        """Take note that a batch has to be done again."""


class _NoTraces:
    """Nobody."""

    def settled(self, lane: str, done: Settled, public: Callable[[str], str]) -> None:
        """Nothing."""

    def failed(self, lane: str, code: str, attempt: int) -> None:
        """Nothing."""


NO_TRACES: Traces = _NoTraces()
