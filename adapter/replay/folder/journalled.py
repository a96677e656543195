"""The common part of targets that keep plan, lanes and manifest in a journal."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from adapter.replay.folder.journal import JournalLane
from adapter.transports.protocol import Channel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.replay.progress import Progress
    from adapter.replay.storage import Storage
    from adapter.replay.survey import LaneRange

PLAN, MANIFEST = "plan.json", "manifest.json"
LANES, HELD, AUDIT = "lanes", "held.jsonl", "audit.jsonl"


@dataclass(slots=True)
class Journalled:
    """A target's journal; ``resumes`` says whether it keeps the patient state."""

    journal: Storage
    resumes: bool
    _lanes: dict[str, JournalLane] = field(default_factory=dict, repr=False, init=False)

    async def begun(self) -> dict[str, Any] | None:
        """Return the plan in the journal, or None."""
        raw = await asyncio.to_thread(self.journal.read, PLAN)
        return None if raw is None else json.loads(raw)

    async def finished(self) -> dict[str, Any] | None:
        """Return the manifest in the journal, which is written last, or None."""
        raw = await asyncio.to_thread(self.journal.read, MANIFEST)
        if raw is None:
            return None
        await asyncio.to_thread(self.journal.remove, LANES)
        manifest: dict[str, Any] = json.loads(raw)
        return manifest

    async def settled(self) -> dict[str, Progress]:
        """Return the progress of each lane's last transaction."""
        names = {o.name.split("/")[0] for o in self.journal.below(LANES).objects()}
        found = {}
        for name in sorted(names):
            lane = self.journal_at(name)
            lane.open()
            if progress := lane.progress():
                found[name] = progress
        return found

    def journal_of(self, lane: LaneRange) -> JournalLane:
        """Return the journal of a lane, cached."""
        if lane.name not in self._lanes:
            self._lanes[lane.name] = self.journal_at(lane.name)
        return self._lanes[lane.name]

    def journal_at(self, name: str) -> JournalLane:
        """Return a new journal of a lane, given by name."""
        return JournalLane(self.journal.below(f"{LANES}/{name}"))

    def sides(self, lanes: Sequence[JournalLane]) -> None:
        """Write held messages and audit records to files beside the plan."""
        self._side(HELD, lanes, Channel.HELD)
        self._side(AUDIT, lanes, Channel.AUDIT)

    def _side(self, name: str, lanes: Sequence[JournalLane], channel: Channel) -> None:
        """Write the values of a channel's records to a file of the journal, one per line."""
        records = (record for lane in lanes for record in lane.records(channel))
        self.journal.write(name, ((record.value or b"") + b"\n" for record in records))


def as_json(told: dict[str, Any]) -> bytes:
    """Return indented JSON as bytes, with a final line feed."""
    return json.dumps(told, indent=2, ensure_ascii=False).encode() + b"\n"
