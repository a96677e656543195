"""Hindsight: a first pass learns what any message says of patients, a second processes with it.

An archive knows the future: the note that names a patient whose first messages had only a number
is read before they are. Memory is one for all lanes, and nothing is forgotten between the passes.
The first pass is repeated when a replay is resumed, so nothing of it is kept anywhere.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from adapter.runtime.patient_store import Bounds, PatientStore
from adapter.runtime.worker import remembering
from adapter.types import Release

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adapter.languages.field_words import FieldWords
    from adapter.phrases.memory import Memory
    from adapter.replay.protocol import Source
    from adapter.replay.rate import Rate
    from adapter.replay.survey import LaneRange
    from adapter.runtime.fork_server import Factory
    from adapter.runtime.patient_store import Given, Notes
    from adapter.runtime.workers import Pool
    from adapter.types import Outcome, PatientFacts, Record

AT_ONCE = 3
"""Batches that workers prepare ahead of the one that is learned."""
UNBOUNDED = Bounds(patients=sys.maxsize, days=sys.maxsize)
LEARNED = Release(None)


@dataclass(frozen=True, slots=True)
class FirstPass:
    """Makes a process that reports patient facts and releases nothing."""

    factory: Factory = field(repr=False)

    def __call__(self) -> Learning:
        """Make the process."""
        return Learning(remembering(self.factory()))


@dataclass(frozen=True, slots=True)
class Learning:
    """What is known after the first pass comes of ``prepare``; ``finish`` is for the second."""

    process: Any = field(repr=False)

    def __call__(self, _record: Record) -> Outcome:
        """Release nothing."""
        return LEARNED

    def prepare(self, record: Record) -> tuple[None, tuple[PatientFacts, ...]]:
        """The facts about a record's patients."""
        return None, self.process.prepare(record)[1]

    def finish(self, _prepared: None, _known: Sequence[bytes]) -> Outcome:
        """Release nothing."""
        return LEARNED


@dataclass(frozen=True, slots=True)
class SecondPass:
    """Makes a process whose merges need no shift: both records had one identity from the first."""

    factory: Factory = field(repr=False)

    def __call__(self) -> Knowing:
        """Make the process."""
        return Knowing(remembering(self.factory()))


@dataclass(frozen=True, slots=True)
class Knowing:
    """A process given all that is known."""

    process: Any = field(repr=False)

    def __call__(self, record: Record) -> Outcome:
        """The outcome of a record of nobody."""
        outcome: Outcome = self.process(record)
        return outcome

    def prepare(self, record: Record) -> object:
        """As the process prepares it."""
        return self.process.prepare(record)

    def finish(self, prepared: object, known: Sequence[bytes]) -> Outcome:
        """As the process finishes it; of merges the days between two records' dates are 0."""
        outcome: Outcome = self.process.finish(prepared, known)
        if isinstance(outcome, Release) and outcome.merges:
            merges = (m if m.days is None else replace(m, days=0) for m in outcome.merges)
            return replace(outcome, merges=tuple(merges))
        return outcome


class KnownStore(PatientStore):
    """A store that knows everything and learns nothing more."""

    def __init__(self, words: FieldWords, memory: Memory) -> None:
        """Recall from what the first pass has learned."""
        super().__init__(words)
        self.memory = memory

    def learn(
        self,
        record: Record,  # noqa: ARG002 - the signature is the store's
        patient_facts: Sequence[PatientFacts],
        notes: Notes,  # noqa: ARG002
    ) -> Given:
        """Return what any message says of a record's patients."""
        return self.memory.about(patient_facts)


def empty(words: FieldWords) -> PatientStore:
    """A store for the first pass: nothing is forgotten, nothing leaves the process."""
    return PatientStore(words, bounds=UNBOUNDED)


async def learned(
    source: Source,
    lanes: Sequence[LaneRange],
    pool: Pool,
    rate: Rate,
    store: PatientStore,
    *,
    watch: Callable[[int], None],
) -> Memory | None:
    """What all messages say of all patients, lane after lane; None where it was stopped.

    ``watch`` is told of every batch how many records it has.
    """
    running: deque[tuple[asyncio.Task[object], int]] = deque()
    for lane in lanes:
        async for batch in source.batches(lane, lane.first):
            await rate.take(batch)
            if rate.stopped:
                await _ended(running, 0, watch)
                return None
            task = asyncio.create_task(pool.run(batch, store.begin()))
            await asyncio.sleep(0)  # its turn is taken before the next one's
            running.append((task, len(batch)))
            await _ended(running, AT_ONCE, watch)
    await _ended(running, 0, watch)
    return store.memory


async def _ended(
    running: deque[tuple[asyncio.Task[object], int]], most: int, watch: Callable[[int], None]
) -> None:
    while len(running) > most:
        task, count = running.popleft()
        await task
        watch(count)
