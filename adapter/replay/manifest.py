"""The manifests of a replay: a whole one for people who may know the source, and a public one.

Neither contains a time of writing: a replay gives the same manifests however often it was stopped.
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
    """The plan of a replay, fixed before the first message, and each lane's final progress."""

    plan: Mapping[str, Any] = field(repr=False)
    lanes: Sequence[LaneRange]
    progress: Mapping[str, Progress] = field(repr=False)

    def whole(self, output: Mapping[str, Any]) -> dict[str, Any]:
        """Return the manifest for the journal: objects, coordinates, counts, digests."""
        return {
            **self.plan,
            "lanes": self._lanes(),
            "totals": self.totals(),
            "output": dict(output),
        }

    def public(self, output: Mapping[str, Any]) -> dict[str, Any]:
        """Return the manifest beside the output, which does not reveal the origin of messages."""
        told = ("v", "name", "knowledge", "ruleset", "key")
        shown = {name: self.plan[name] for name in told}
        return {**shown, "totals": self.totals(), "output": dict(output)}

    def totals(self) -> dict[str, Any]:
        """Return counts over all lanes."""
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
