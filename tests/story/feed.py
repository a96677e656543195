"""The story: fourteen days of one patient in twelve invented messages, and runs over them.

She is admitted, registered a second time by mistake, changes her name and telephone, and her two
records are merged; three authors write of her and misspell her; the last messages bear a number,
or a reference, alone.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from adapter.audit import Audit
from adapter.runtime.patient_store import PatientStore
from adapter.runtime.runner import Runner
from adapter.runtime.service import Deidentify
from adapter.sealing.box import Box
from adapter.sealing.quarantine import Sealer
from adapter.transports.memory.transport import Broker, MemoryTransport
from adapter.types import Position, Processed, Record
from tests.corpus.runs import ruleset
from tests.wording import FIELDS

FOLDER = Path(__file__).resolve().parent
MESSAGES = FOLDER / "messages"
RELEASED = FOLDER / "released"
NAMES = sorted(path.name for path in MESSAGES.iterdir())
BOX = Box("s1", {"s1": bytes(range(32))})
SEALER = Sealer("q1", {"q1": bytes(32)})


@cache
def deidentify() -> Deidentify:
    """The shipped rules under the tests' key."""
    return Deidentify(ruleset())


@dataclass
class Inline:
    """A pool without processes, which learns in the order of records."""

    process: Deidentify = field(default_factory=deidentify)
    restarts: int = 0

    async def run(self, batch, notes=None):
        """Work at once."""
        if notes is None:
            return [Processed(self.process(record), 0.1) for record in batch]
        turn = notes.turn()
        try:
            prepared = [self.process.prepare(record) for record in batch]
            known = await turn.learn(batch, [patient_facts for _, patient_facts in prepared])
        finally:
            turn.end()
        return [
            Processed(self.process.finish(opened, given), 0.1)
            for (opened, _), given in zip(prepared, known, strict=True)
        ]


def broker(names=NAMES):
    """A broker of one partition with the story's messages."""
    made = Broker()
    for name in names:
        add(made, name)
    return made


def add(to, name, timestamp=None):
    """Put a message of the story behind those that are there."""
    value = (MESSAGES / name).read_bytes()
    to.append("in", Record(value, Position("", 0, 0), timestamp=timestamp))


def run(over, pool=None, remember=lambda: PatientStore(FIELDS, BOX)):
    """Run over a broker to the end of its input."""
    transport = MemoryTransport(over, batch_records=3)
    options = {"retry_seconds": 0, "remember": remember}
    runner = Runner(transport, pool or Inline(), SEALER, Audit("story"), **options)
    asyncio.run(asyncio.wait_for(runner.run(asyncio.Event()), 120))


def released(over):
    """What a reader of the output sees, in order."""
    return [record.value for record in over.records("released")]


def outcome():
    """Content of the golden files by name."""
    over = broker()
    run(over)
    return dict(zip(NAMES, released(over), strict=True))
