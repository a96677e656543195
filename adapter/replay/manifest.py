"""The manifests of a replay: all of it for those who may know the source, and what others may see.

Neither has a time of its own: the same replay gives the same manifest however often it was stopped.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from adapter.replay.progress import Progress
    from adapter.replay.survey import LaneRange

VERSION = 1


@dataclass(frozen=True, slots=True)
class Account:
    """What was replayed and what came of it; ``plan`` is fixed before the first message."""

    plan: Mapping[str, Any] = field(repr=False)
    lanes: Sequence[LaneRange]
    progress: Mapping[str, Progress] = field(repr=False)

    def whole(self, output: Mapping[str, Any]) -> dict[str, Any]:
        """The manifest that stays with the journal: objects, coordinates, counts, digests."""
        return {
            **self.plan,
            "lanes": self._lanes(),
            "totals": self.totals(),
            "output": dict(output),
        }

    def public(self, output: Mapping[str, Any]) -> dict[str, Any]:
        """The manifest beside the output: nothing of where messages came from."""
        told = ("v", "name", "knowledge", "ruleset", "key")
        shown = {name: self.plan[name] for name in told}
        return {**shown, "totals": self.totals(), "output": dict(output)}

    def totals(self) -> dict[str, Any]:
        """Counts over all lanes."""
        done = self.progress.values()
        held: Counter[str] = Counter()
        for each in done:
            held.update(each.held)
        return {
            "records": sum(each.records for each in done),
            "released": sum(each.released for each in done),
            "tombstones": sum(each.tombstones for each in done),
            "held": sum(held.values()),
            "holds": dict(sorted(held.items())),
        }

    def _lanes(self) -> list[dict[str, Any]]:
        return [
            {
                "topic": lane.topic,
                "partition": lane.partition,
                "first": lane.first,
                "end": lane.end,
                "records": done.records,
                "released": done.released,
                "held": dict(sorted(done.held.items())),
                "sha256": done.digest,
            }
            for lane in self.lanes
            if (done := self.progress[lane.name])
        ]
