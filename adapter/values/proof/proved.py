"""The result of a proof: actions, and the places of values that were not proved."""

from __future__ import annotations

from dataclasses import dataclass, field

from adapter.types import Action, Handling, Label

AGE = Action(Handling.SURROGATE, Label.AGE, part="age")
BIRTH = Action(Handling.SHIFT, Label.DATE, part="birthdate")
SCAN = Action(Handling.SCAN)
DROP = Action(Handling.DROP)
KEEP = Action(Handling.KEEP)


@dataclass(frozen=True, slots=True)
class Proved:
    """Actions after proof, and the paths of values that were not proved."""

    actions: tuple[Action, ...] = field(repr=False)
    scanned: frozenset[str] = field(default=frozenset(), repr=False)
    dropped: int = 0
    strict: frozenset[str] = field(default=frozenset(), repr=False)
    """Paths of texts that may name people whom no field of the message names."""
    structural: frozenset[str] = field(default=frozenset(), repr=False)
    """Paths of codes that determine how the message is read."""
    prose: frozenset[str] = field(default=frozenset(), repr=False)
    """Those of the scanned paths whose value is free text in a place for a code."""

    @property
    def doubtful(self) -> frozenset[str]:
        """Paths of values that were not proved and give no context: codes and displays."""
        return self.scanned - self.prose

    @property
    def counts(self) -> dict[str, int]:
        """Numbers of values that were not proved, by "scanned" or "dropped", without zeros."""
        found = {"scanned": len(self.scanned), "dropped": self.dropped}
        return {done: n for done, n in found.items() if n}
