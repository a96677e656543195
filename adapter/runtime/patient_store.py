"""The memory of running lanes about people, learned and recalled in the order of their records.

Workers process records concurrently, so they first report what each record says about people.
The store learns these facts record by record, and gives each record what was known before it. A
batch's changes are sealed and sent in the batch's own transaction, under names that are MACs. After
a failure the memory is discarded and restored from what was committed. Held records are learned
from like released ones, because their facts protect the patient in later messages.
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
    from adapter.phrases.memory import Facts, Index
    from adapter.sealing.box import Box
    from adapter.transports.protocol import Lane, Transaction
    from adapter.types import Position

End = asyncio.Future[None] | None
"""Future that is set when a turn has ended; None before the first turn."""
Given = tuple[bytes, ...]
"""Packed memory entries about the patients and the staff of one record."""

_DAY_MS = 86_400_000
_LOG_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of the memory: patients and staff per lane, and days since a person's last record."""

    patients: int = 200_000
    days: int = 730
    staff: int = 20_000


class PatientStore:
    """The patient memory of one lane, or of a feed whose lanes follow one another."""

    def __init__(
        self, words: FieldWords, box: Box | None = None, bounds: Bounds = Bounds()
    ) -> None:
        """Start empty; without a box, entries are not sealed."""
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
            _end_after(before, mine)

    async def restore(self, records: AsyncIterator[Record], lane: str) -> None:
        """Load the committed entries, oldest first, and log the progress.

        An entry sealed under a destroyed key is erased and counted in the log.

        Raises:
            RuleError: an entry was sealed with a missing key, or is not an entry of this program.
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
        """Return an entry sealed and bound to its name; None, which erases it, stays None."""
        if entry is None or self._box is None:
            return entry
        return self._box.seal(zlib.compress(entry, level=1), subject.encode())

    def learn(self, record: Record, known_facts: Sequence[Facts], notes: Notes) -> Given:
        """Return what was known before a record, then learn its facts."""
        seen = record.timestamp or 0
        given = tuple(self._fresh(self.memory.about(known_facts), seen, notes))
        for facts in known_facts:
            for change in self.memory.learn(facts, seen):
                notes.add(change.subject, change.after)
        for index, most in self._limits():
            while len(index.entries) > most:
                self._forget(next(iter(index.entries)), notes)
        return given

    def _limits(self) -> tuple[tuple[Index, int], ...]:
        """Return the memory of patients and that of staff, each with its limit."""
        memory, bounds = self.memory, self._bounds
        return (memory, bounds.patients), (memory.staff, bounds.staff)

    def _fresh(self, entries: Iterable[bytes], seen: int, notes: Notes) -> Iterator[bytes]:
        """Yield the entries that are not too old; erase the older ones."""
        for raw in entries:
            entry = unpack(raw)
            if seen and entry.seen and seen - entry.seen > self._bounds.days * _DAY_MS:
                self._forget(entry.subject, notes)
            else:
                yield raw

    def _forget(self, subject: str, notes: Notes) -> None:
        self.memory.put(subject, None)
        notes.add(subject, None)


class PatientStores:
    """The memories of a service: one for each lane, or one for all if lanes follow one another."""

    def __init__(self, make: Callable[[], PatientStore] | None, *, one_feed: bool) -> None:
        """Start without memories; ``make`` returns an empty one, or is None for no memory."""
        self._make = make
        self._one_feed = one_feed
        self._feed: PatientStore | None = None
        self._restored: dict[str, PatientStore] = {}

    def in_order(self) -> AbstractAsyncContextManager[None]:
        """Return a context in which a lane may yield records, if lanes follow one another."""
        if self._make is None or not self._one_feed:
            return contextlib.nullcontext()
        self._feed = self._feed or self._make()
        return self._feed.gate()

    async def store(self, lane: Lane) -> PatientStore | None:
        """Return a lane's memory, restored at its start and after a failure; None without memory.

        Raises:
            RuleError: a committed entry cannot be opened.
        """
        if self._make is None:
            return None
        known = self._feed or self._make()
        if self._restored.get("") is not known:
            await known.restore(lane.state(), lane.name)
            self._use_current_words(known)
        self._restored["" if self._feed else lane.name] = known
        return known

    def change(self, make: Callable[[], PatientStore] | None) -> None:
        """Use the field words of other rules from now on; the memory is kept.

        ``make`` returns an empty memory with these rules.
        """
        self._make = make
        for known in (*self._restored.values(), self._feed):
            self._use_current_words(known)

    def _use_current_words(self, known: PatientStore | None) -> None:
        if self._make is not None and known is not None:
            known.memory.words = self._make().memory.words

    def close(self, lane: str) -> None:
        """Drop the memory of a lane."""
        self._restored.pop(lane, None)

    def counts(self) -> dict[str, int]:
        """Return lane name -> number of known patients; the name is "" if lanes share a memory."""
        return {name: len(known.memory.entries) for name, known in self._restored.items()}


def _refused(at: Position, error: Exception) -> RuleError:
    """Return an error that names the entry that cannot be opened, and the reason."""
    why = error.reason if isinstance(error, SealError) else "not an entry of the adapter"
    return RuleError(
        "keys.state", f"{at.topic}/{at.partition} at {at.offset} cannot be opened: {why}"
    )


async def _ended(before: End) -> None:
    if before is not None:
        await asyncio.shield(before)


def _end_after(before: End, mine: asyncio.Future[None]) -> None:
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
    """The changes of one batch: the last entry of each subject, in the order of last changes."""

    known: PatientStore = field(repr=False)
    changes: dict[str, bytes | None] = field(default_factory=dict, repr=False)
    abandoned: bool = False

    def add(self, subject: str, entry: bytes | None) -> None:
        """Note a change behind the others, as a memory that is restored has it in this order."""
        self.changes.pop(subject, None)
        self.changes[subject] = entry

    def turn(self) -> Turn:
        """Return the next turn in record order."""
        return Turn(self, *self.known.turn())

    async def send(self, transaction: Transaction, position: Position) -> None:
        """Send the changes; one that the transport refuses is lost at the next restart."""
        for record in self.records(position):
            try:
                await transaction.send(Channel.STATE, record)
            except RefusedError as refused:
                log(Event.NOT_KEPT, "warning", code=refused.code)

    def records(self, position: Position) -> Iterator[Record]:
        """Yield the changes as records for the state channel."""
        for subject, entry in self.changes.items():
            yield Record(self.known.sealed(subject, entry), position, subject.encode())


@dataclass(slots=True, eq=False)
class Turn:
    """The turn to learn of some consecutive records; turns follow the order of records."""

    notes: Notes = field(repr=False)
    before: End
    mine: asyncio.Future[None]

    async def learn(
        self, records: Sequence[Record], known_facts: Sequence[Sequence[Facts]]
    ) -> list[Given]:
        """Wait for all earlier records, then learn these; return what was known before each."""
        await _ended(self.before)
        if self.notes.abandoned:
            return [()] * len(records)
        known = self.notes.known
        pairs = zip(records, known_facts, strict=True)
        return [known.learn(record, facts, self.notes) for record, facts in pairs]

    def end(self) -> None:
        """Let the next turn begin, whether or not anything was learned."""
        _end_after(self.before, self.mine)
