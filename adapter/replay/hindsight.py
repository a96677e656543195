"""Hindsight: a first pass learns all facts about patients, a second pass processes with them.

An archive contains the future: a note that names a patient is read before that patient's first
messages, which had only a number, are processed. All lanes share one memory, and nothing is
forgotten between the passes. The first pass is repeated when a replay is resumed, so nothing of it
is stored.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from adapter.phrases.memory import erases
from adapter.runtime.patient_store import Bounds, PatientStore
from adapter.runtime.worker import remembering
from adapter.types import Release

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from adapter.languages.field_words import FieldWords
    from adapter.phrases.memory import Facts, Memory
    from adapter.replay.protocol import Source
    from adapter.replay.rate import Rate
    from adapter.replay.survey import LaneRange
    from adapter.runtime.fork_server import Factory
    from adapter.runtime.patient_store import Given, Notes
    from adapter.runtime.workers import Pool
    from adapter.types import Outcome, Record

AT_ONCE = 3
"""Maximum number of batches that workers prepare ahead of the batch being learned."""
UNBOUNDED = Bounds(patients=sys.maxsize, days=sys.maxsize, staff=sys.maxsize)
LEARNED = Release(None)


@dataclass(frozen=True, slots=True)
class FirstPass:
    """A picklable factory of processes that report patient facts and release nothing."""

    factory: Factory = field(repr=False)

    def __call__(self) -> Learning:
        """Return a new process."""
        return Learning(remembering(self.factory()))


@dataclass(frozen=True, slots=True)
class Learning:
    """The process of the first pass: ``prepare`` gives the facts, ``finish`` releases nothing."""

    process: Any = field(repr=False)

    def __call__(self, _record: Record) -> Outcome:
        """Return an empty release."""
        return LEARNED

    def prepare(self, record: Record) -> tuple[None, tuple[Facts, ...]]:
        """Return None and the facts about a record's patients."""
        return None, self.process.prepare(record)[1]

    def finish(self, _prepared: None, _known: Sequence[bytes]) -> Outcome:
        """Return an empty release."""
        return LEARNED


@dataclass(frozen=True, slots=True)
class SecondPass:
    """A picklable factory of processes for the second pass.

    A merge in this pass shifts no dates: both records had one identity from the start.
    """

    factory: Factory = field(repr=False)

    def __call__(self) -> Knowing:
        """Return a new process."""
        return Knowing(remembering(self.factory()))


@dataclass(frozen=True, slots=True)
class Knowing:
    """The process of the second pass, which uses all facts."""

    process: Any = field(repr=False)

    def __call__(self, record: Record) -> Outcome:
        """Return the outcome of a record without patients."""
        outcome: Outcome = self.process(record)
        return outcome

    def prepare(self, record: Record) -> object:
        """Return the record as the inner process prepares it."""
        return self.process.prepare(record)

    def finish(self, prepared: object, known: Sequence[bytes]) -> Outcome:
        """Return the inner process's outcome; the days by which merges shift dates become 0."""
        outcome: Outcome = self.process.finish(prepared, known)
        if isinstance(outcome, Release) and outcome.merges:
            merges = (m if m.days is None else replace(m, days=0) for m in outcome.merges)
            return replace(outcome, merges=tuple(merges))
        return outcome


class LearningStore(PatientStore):
    """The patient store of the first pass, in which a tombstone erases nothing.

    The messages before it are processed too, and need what is known of their patient.
    """

    def learn(self, record: Record, patient_facts: Sequence[Facts], notes: Notes) -> Given:
        """Return what was known before a record, then learn its patient facts."""
        return super().learn(record, [facts for facts in patient_facts if not erases(facts)], notes)


class KnownStore(PatientStore):
    """A patient store with all facts, which learns nothing more."""

    def __init__(self, words: FieldWords, memory: Memory) -> None:
        """Take the memory of the first pass."""
        super().__init__(words)
        self.memory = memory

    def learn(
        self,
        record: Record,  # noqa: ARG002 - the signature is the store's
        patient_facts: Sequence[Facts],
        notes: Notes,  # noqa: ARG002
    ) -> Given:
        """Return the entries of a record's patients, and learn nothing."""
        return self.memory.about(patient_facts)


def empty(words: FieldWords) -> LearningStore:
    """Return an unbounded store for the first pass, which sends nothing out of the process."""
    return LearningStore(words, bounds=UNBOUNDED)


async def learned(
    source: Source,
    lanes: Sequence[LaneRange],
    pool: Pool,
    rate: Rate,
    store: PatientStore,
    *,
    watch: Callable[[int], None],
) -> Memory | None:
    """Learn from all messages, lane after lane; return the memory, or None if stopped.

    ``watch`` is called with the number of records of each batch.
    """
    running: deque[tuple[asyncio.Task[object], int]] = deque()
    for lane in lanes:
        async for batch in source.batches(lane, lane.first):
            await rate.take(batch)
            if rate.stopped:
                await _ended(running, 0, watch)
                return None
            task = asyncio.create_task(pool.run(batch, store.begin()))
            await asyncio.sleep(0)  # lets the task begin before the next one
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
