"""Patient memory of running lanes, learned and recalled in the order of their records.

Workers read ahead of one another, so they first report what each record says about its patients.
The store takes that in record by record, and gives every record what was known before it. A batch's
changes are sealed and sent in the batch's own transaction, under names that are MACs. After a
failure everything is forgotten and restored from what was committed. Held records count as released
ones do: what is known of a patient protects whether or not the message that said it could leave.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from adapter.audit import Event, log
from adapter.errors import RuleError
from adapter.phrases.memory import Memory, unpack
from adapter.sealing.box import DestroyedError, SealError
from adapter.transports.protocol import Channel, RefusedError
from adapter.types import Record

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractAsyncContextManager

    from adapter.languages.field_words import FieldWords
    from adapter.sealing.box import Box
    from adapter.transports.protocol import Lane, Transaction
    from adapter.types import PatientFacts, Position

End = asyncio.Future[None] | None
"""Set when a turn has ended; None before the first turn."""
Given = tuple[bytes, ...]
"""Packed entries about the patients of one record."""

_DAY_MS = 86_400_000
_LOG_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much is remembered: patients per lane, and days since a patient's last record."""

    patients: int = 200_000
    days: int = 730


class PatientStore:
    """The patient memory of one lane, or of a feed whose lanes follow one another."""

    def __init__(
        self, words: FieldWords, box: Box | None = None, bounds: Bounds = Bounds()
    ) -> None:
        """Start empty; without a box, nothing leaves the process."""
        self.memory = Memory(words)
        self._box = box
        self._bounds = bounds
        self._last: End = None
        self._gate: End = None

    def begin(self) -> Notes:
        """Start collecting the changes of a batch."""
        return Notes(self)

    def turn(self) -> tuple[End, asyncio.Future[None]]:
        """Return the end of the previous turn, and a future for the end of a new one."""
        mine = asyncio.get_running_loop().create_future()
        before, self._last = self._last, mine
        return before, mine

    @contextlib.asynccontextmanager
    async def gate(self) -> AsyncIterator[None]:
        """Wait until earlier lanes have yielded all their records; then this lane has its turn."""
        mine = asyncio.get_running_loop().create_future()
        before, self._gate = self._gate, mine
        try:
            await _ended(before)
            yield
        finally:
            _after(before, mine)

    async def restore(self, records: AsyncIterator[Record], lane: str) -> None:
        """Take in what was committed, oldest first, and log the progress.

        An entry under a key that was destroyed is erased with it, and counted in the log.

        Raises:
            RuleError: an entry was sealed with a key that is not there, or is not one of ours.
        """
        since = logged = time.monotonic()
        count = erased = 0
        async for record in records:
            subject = (record.key or b"").decode("ascii", "replace")
            try:
                self.memory.put(subject, self._opened(subject, record.value))
            except DestroyedError:
                self.memory.put(subject, None)
                erased += 1
            except (SealError, zlib.error, ValueError) as error:
                raise _refused(record.position, error) from None
            count += 1
            if time.monotonic() - logged > _LOG_SECONDS:
                logged = time.monotonic()
                log(Event.RESTORING, lane=lane, records=count)
        if erased:
            log(Event.ERASED, "warning", lane=lane, records=erased)
        if count:
            spent = round((time.monotonic() - since) * 1000)
            log(
                Event.RESTORED,
                lane=lane,
                records=count,
                patients=len(self.memory.entries),
                milliseconds=spent,
            )

    def _opened(self, subject: str, value: bytes | None) -> bytes | None:
        if value is None or self._box is None:
            return value
        return zlib.decompress(self._box.open(value, subject.encode()))

    def sealed(self, subject: str, entry: bytes | None) -> bytes | None:
        """Return an entry sealed to leave the process, bound to its name; None erases it."""
        if entry is None or self._box is None:
            return entry
        return self._box.seal(zlib.compress(entry, level=1), subject.encode())

    def learn(self, record: Record, patient_facts: Sequence[PatientFacts], notes: Notes) -> Given:
        """Return what was known before a record, then learn its patient facts."""
        seen = record.timestamp or 0
        given = tuple(self._fresh(self.memory.about(patient_facts), seen, notes))
        for facts in patient_facts:
            for change in self.memory.learn(facts, seen):
                notes.changes[change.subject] = change.after
        while len(self.memory.entries) > self._bounds.patients:
            self._forget(next(iter(self.memory.entries)), notes)
        return given

    def _fresh(self, entries: Iterable[bytes], seen: int, notes: Notes) -> Iterator[bytes]:
        """Yield the entries that are not too old; forget the older ones."""
        for raw in entries:
            entry = unpack(raw)
            if seen and entry.seen and seen - entry.seen > self._bounds.days * _DAY_MS:
                self._forget(entry.subject, notes)
            else:
                yield raw

    def _forget(self, subject: str, notes: Notes) -> None:
        self.memory.put(subject, None)
        notes.changes[subject] = None


class PatientStores:
    """The memories of a service: one of each lane, or one where lanes follow one another."""

    def __init__(self, make: Callable[[], PatientStore] | None, *, one_feed: bool) -> None:
        """Begin with none; ``make`` gives an empty one, and without it nothing is remembered."""
        self._make = make
        self._one_feed = one_feed
        self._feed: PatientStore | None = None
        self._restored: dict[str, PatientStore] = {}

    def in_order(self) -> AbstractAsyncContextManager[None]:
        """A lane's turn to give out records, where lanes follow one another."""
        if self._make is None or not self._one_feed:
            return contextlib.nullcontext()
        self._feed = self._feed or self._make()
        return self._feed.gate()

    async def store(self, lane: Lane) -> PatientStore | None:
        """What is known in a lane: restored when it begins, and after a failure.

        Raises:
            RuleError: what was committed cannot be opened.
        """
        if self._make is None:
            return None
        known = self._feed or self._make()
        if self._restored.get("") is not known:
            await known.restore(lane.state(), lane.name)
            self._by_present_rules(known)
        self._restored["" if self._feed else lane.name] = known
        return known

    def change(self, make: Callable[[], PatientStore] | None) -> None:
        """Compare by the words of other rules from now on; what is known stays.

        ``make`` gives an empty memory by these rules.
        """
        self._make = make
        for known in (*self._restored.values(), self._feed):
            self._by_present_rules(known)

    def _by_present_rules(self, known: PatientStore | None) -> None:
        if self._make is not None and known is not None:
            known.memory.words = self._make().memory.words

    def close(self, lane: str) -> None:
        """Drop the memory of a lane."""
        self._restored.pop(lane, None)

    def counts(self) -> dict[str, int]:
        """Patients known, by the lane's name; "" where lanes follow one another."""
        return {name: len(known.memory.entries) for name, known in self._restored.items()}


def _refused(at: Position, error: Exception) -> RuleError:
    """Name the entry that does not open, so that somebody can look for its key or its writer."""
    why = error.reason if isinstance(error, SealError) else "it is none of ours"
    return RuleError("keys.state", f"{at.topic}/{at.partition} at {at.offset} does not open: {why}")


async def _ended(before: End) -> None:
    if before is not None:
        await asyncio.shield(before)


def _after(before: End, mine: asyncio.Future[None]) -> None:
    """End a turn, but not before the previous one has ended."""

    def end(_: object) -> None:
        if not mine.done():
            mine.set_result(None)

    if before is None:
        end(None)
    else:
        before.add_done_callback(end)


@dataclass(slots=True, eq=False)
class Notes:
    """The changes of one batch by subject, the last state of each."""

    known: PatientStore = field(repr=False)
    changes: dict[str, bytes | None] = field(default_factory=dict, repr=False)
    abandoned: bool = False

    def turn(self) -> Turn:
        """Return the next place in the order of records."""
        return Turn(self, *self.known.turn())

    async def send(self, transaction: Transaction, position: Position) -> None:
        """Send the changes; what no transport can carry is known until the next start."""
        for record in self.records(position):
            try:
                await transaction.send(Channel.STATE, record)
            except RefusedError as refused:
                log(Event.NOT_KEPT, "warning", code=refused.code)

    def records(self, position: Position) -> Iterator[Record]:
        """Yield the changes as records of state."""
        for subject, entry in self.changes.items():
            yield Record(self.known.sealed(subject, entry), position, subject.encode())


@dataclass(slots=True, eq=False)
class Turn:
    """The place of consecutive records of a batch in the order of learning."""

    notes: Notes = field(repr=False)
    before: End
    mine: asyncio.Future[None]

    async def learn(
        self, records: Sequence[Record], patient_facts: Sequence[Sequence[PatientFacts]]
    ) -> list[Given]:
        """What was known before each record, once all earlier ones have been learned."""
        await _ended(self.before)
        if self.notes.abandoned:
            return [()] * len(records)
        known = self.notes.known
        pairs = zip(records, patient_facts, strict=True)
        return [known.learn(record, facts, self.notes) for record, facts in pairs]

    def end(self) -> None:
        """Let the next turn begin, whether or not anything was learned."""
        _after(self.before, self.mine)
