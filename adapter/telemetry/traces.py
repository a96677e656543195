"""The data that a runner passes to a tracer of batches: coordinates, counts, codes, times."""

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
    """When the batch was passed to the workers."""
    ready: float
    """When the workers returned it."""
    ruleset: str


class Traces(Protocol):
    """A tracer of batches; its methods must not fail or block."""

    def settled(self, lane: str, done: Settled, public: Callable[[str], str]) -> None:
        """Record a settled batch; ``public`` returns the public name of a topic."""

    def failed(self, lane: str, code: str, attempt: int) -> None:
        """Record that a batch failed and is retried."""


class _NoTraces:
    """The tracer that records nothing."""

    def settled(self, lane: str, done: Settled, public: Callable[[str], str]) -> None:
        """Do nothing."""

    def failed(self, lane: str, code: str, attempt: int) -> None:
        """Do nothing."""


NO_TRACES: Traces = _NoTraces()
