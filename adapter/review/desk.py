"""What people do with readings: look, judge, judge everywhere, undo, finish.

Each is one transaction with its event: what is shown is on record before it is shown.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from adapter.review.judging import actions as judging
from adapter.review.judging.actions import Action, ActionError, Kind, Status
from adapter.review.judging.editing import canonical, occurrences
from adapter.review.judging.items import unpacked
from adapter.review.judging.proposals import proposals
from adapter.review.roles import may_read, queues, scope
from adapter.review.store import events, items, people, proposed, readings
from adapter.review.store.protocol import Conflict
from adapter.review.store.readings import Reading
from adapter.review.store.store import fresh_id

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from adapter.review.judging.actions import State
    from adapter.review.judging.items import Content
    from adapter.review.store.items import Item
    from adapter.review.store.people import Person
    from adapter.review.store.protocol import Cursor
    from adapter.review.store.readings import Step
    from adapter.review.store.store import Store

MOST_ITEMS = 200
"""Items that are looked through for a phrase."""


class NotFound(Exception):  # noqa: N818 - what people are told
    """There is nothing of that name, or not for this person: nobody is told which."""


@dataclass(frozen=True, slots=True)
class View:
    """A reading as somebody sees it. ``texts`` are the numbers of the texts that are shown."""

    reading: Reading
    item: Item
    content: Content = field(repr=False)
    state: State = field(repr=False)
    steps: Sequence[Step] = field(repr=False)
    texts: tuple[int, ...]

    @property
    def is_blind(self) -> bool:
        """Whether nothing of the machine may be shown."""
        return self.reading.queue == "recall"

    @property
    def spans(self) -> list[int]:
        """Numbers of the spans that are shown, in the order of the texts."""
        return [n for n in judging.ordered(self.state) if self.state[n].text in self.texts]

    @property
    def asked(self) -> list[int]:
        """Numbers of the spans that are to be judged."""
        focus = self.reading.focus
        return [focus] if 0 <= focus < len(self.state) else self.spans

    @property
    def open(self) -> int:
        """How many of them are not judged."""
        return sum(self.state[n].status is Status.OPEN for n in self.asked)


@dataclass(frozen=True, slots=True)
class Done:
    """What a step did: the actions' batch, and in how many items and spans."""

    batch: str
    items: int
    spans: int


@dataclass(frozen=True, slots=True)
class Desk:
    """The steps, over a store."""

    store: Store

    def view(self, person: Person, reading: str) -> View:
        """A reading, once it is on record who looks at it.

        Raises:
            NotFound: there is none, or not for this person.
            StoreError: the event cannot be written, so nothing is shown.
        """
        with self.store.step("view", person.id, reading=reading) as cursor:
            return self._permitted(cursor, person, reading)

    def _permitted(self, cursor: Cursor, person: Person, name: str) -> View:
        reading = readings.of(cursor, name)
        if reading is None or not may_read(person, reading):
            raise NotFound
        return self.load(cursor, reading)

    def load(self, cursor: Cursor, reading: Reading) -> View:
        """A reading with its item and all that was done; for steps that are on record already.

        Raises:
            NotFound: its item has expired.
        """
        found = items.read(cursor, self.store.box, reading.item, self.store.now)
        if found is None:
            raise NotFound
        item, plain = found
        content = unpacked(plain)
        steps = readings.steps(cursor, self.store.box, reading.id)
        begun = self._begun(cursor, reading, content)
        state = judging.folded(content, begun, [s.action for s in steps if not s.undone])
        return View(reading, item, content, state, steps, _shown(reading, content, state))

    def _begun(self, cursor: Cursor, reading: Reading, content: Content) -> State:
        if reading.queue == "recall":
            return ()
        if reading.queue == "disagreements":
            return judging.joined(self.blind(cursor, reading.item))
        return judging.begun(content)

    def blind(self, cursor: Cursor, item: str) -> Mapping[str, State]:
        """What each reader of a recall sample marked in an item, by their names."""
        found = readings.of_item(cursor, item, "recall")
        names = {p.id: p.name for p in people.everybody(cursor)}
        return {names.get(r.assignee, r.assignee): self.load(cursor, r).state for r in found}

    def act(self, person: Person, reading: str, version: int, actions: Sequence[Action]) -> View:
        """Do something to spans; each call is undone as one.

        Raises:
            NotFound: there is no such reading for this person.
            ActionError: it cannot be done.
            Conflict: somebody else was first, or the reading is finished.
        """
        kinds = sorted({str(action.kind) for action in actions})
        with self.store.step("judge", person.id, reading=reading, kinds=kinds) as cursor:
            view = self._permitted(cursor, person, reading)
            self._do(cursor, person, view, version=version, actions=actions, batch=fresh_id())
            return self._permitted(cursor, person, reading)

    def _do(
        self,
        cursor: Cursor,
        person: Person,
        view: View,
        *,
        version: int,
        actions: Sequence[Action],
        batch: str,
    ) -> None:
        if view.reading.done:
            raise Conflict("it is finished: open it again first")
        if any(action.kind is not Kind.ADD and action.span not in view.spans for action in actions):
            raise ActionError("there is no such span")
        if any(action.kind is Kind.ADD and action.text not in view.texts for action in actions):
            raise ActionError("there is no such text")
        state = judging.folded(view.content, view.state, actions)
        left = replace(view, state=state).open if view.reading.queue != "recall" else 0
        readings.bump(cursor, view.reading.id, version, spans=left)
        by = readings.By(batch, person.id, self.store.now)
        readings.act(cursor, self.store.box, view.reading.id, by, actions)

    def everywhere(
        self, person: Person, reading: str, version: int, span: int, action: Action
    ) -> Done:
        """Do the same to every occurrence of a span's phrase that this person may judge.

        Raises:
            NotFound: there is no such reading for this person.
            ActionError: it cannot be done.
            Conflict: somebody else was first in one of the items; nothing was changed.
        """
        with self.store.step("judge everywhere", person.id, reading=reading) as cursor:
            view = self._permitted(cursor, person, reading)
            if span not in view.spans:
                raise ActionError("there is no such span")
            batch, counted, spans = fresh_id(), 0, 0
            for other in self._having(cursor, person, view, span):
                found = list(_same(other, view, span, action))
                if found:
                    at = version if other.reading.id == reading else other.reading.version
                    self._do(cursor, person, other, version=at, actions=found, batch=batch)
                    counted, spans = counted + 1, spans + len(found)
            return Done(batch, counted, spans)

    def occurrences(self, person: Person, reading: str, span: int) -> tuple[View, list[View]]:
        """A reading, and all that have the phrase of one of its spans; on record before.

        Raises:
            NotFound: there is no such reading or span for this person.
            StoreError: the event cannot be written, so nothing is shown.
        """
        with self.store.step("view phrase", person.id, reading=reading) as cursor:
            view = self._permitted(cursor, person, reading)
            if span not in view.spans:
                raise NotFound
            found = list(self._having(cursor, person, view, span))
            seen = {"event": "view", "person": person.id, "time_ms": self.store.now}
            for other in found:
                told = seen | {"reading": other.reading.id}
                events.append(cursor, self.store.signer, told)
            return view, found

    def _having(self, cursor: Cursor, person: Person, view: View, span: int) -> Iterator[View]:
        """This reading, and others of the working queues that have the phrase and are not done."""
        yield view
        if view.is_blind or view.reading.queue == "disagreements":
            return
        phrase = phrase_of(view, span)
        who = scope(person)
        for item in items.having(cursor, self.store.mac(canonical(phrase)), who, MOST_ITEMS):
            for queue in queues(person):
                if queue not in {"held", "uncertain"}:
                    continue
                for other in readings.of_item(cursor, item, queue):
                    mine = who is None or other.assignee == who
                    if other.id != view.reading.id and mine and not other.done:
                        yield self.load(cursor, other)

    def undo(self, person: Person, reading: str, version: int) -> View:
        """Take back the last step of this person in a reading, wherever else it acted too.

        Raises:
            NotFound: there is no such reading for this person.
            Conflict: there is nothing to undo, or somebody has built on it.
        """
        with self.store.step("undo", person.id, reading=reading) as cursor:
            view = self._permitted(cursor, person, reading)
            if view.reading.done:
                raise Conflict("it is finished: open it again first")
            mine = [s for s in view.steps if not s.undone and s.person == person.id]
            if not mine:
                raise Conflict("there is nothing to undo")
            batch = mine[-1].batch
            for name in readings.batch_readings(cursor, batch):
                self._take_back(cursor, name, batch, version if name == reading else None)
            return self._permitted(cursor, person, reading)

    def _take_back(self, cursor: Cursor, name: str, batch: str, version: int | None) -> None:
        found = readings.of(cursor, name)
        if found is None:
            return
        standing = [s for s in readings.steps(cursor, self.store.box, name) if not s.undone]
        if found.done or standing[-1].batch != batch:
            raise Conflict("something was done after it: undo that first")
        cursor.run(
            "UPDATE review_action SET undone = 1 WHERE batch = ? AND reading = ?", batch, name
        )
        view = self.load(cursor, found)
        left = 0 if view.is_blind else view.open
        readings.bump(cursor, name, found.version if version is None else version, spans=left)

    def finish(self, person: Person, reading: str, version: int) -> str | None:
        """Finish a reading; the id of the next one, if there is one.

        What was decided becomes proposals. The second blind reading of an item that differs from
        the first opens a disagreement.

        Raises:
            NotFound: there is no such reading for this person.
            Conflict: somebody else was first, or spans are left to judge.
        """
        with self.store.step("finish", person.id, reading=reading) as cursor:
            view = self._permitted(cursor, person, reading)
            if view.reading.done:
                raise Conflict("it is finished already")
            if view.reading.queue in {"uncertain", "disagreements"} and view.open:
                raise Conflict("there are spans left to judge")
            readings.bump(cursor, reading, version, done=self.store.now, spans=0)
            if view.is_blind:
                self._compare(cursor, view.reading)
            else:
                self._propose(cursor, person, view)
            return readings.following(cursor, view.reading, scope(person))

    def _compare(self, cursor: Cursor, reading: Reading) -> None:
        """Open a disagreement once both readers are done and differ."""
        both = readings.of_item(cursor, reading.item, "recall")
        if not all(other.done for other in both):
            return
        joined = judging.joined(self.blind(cursor, reading.item))
        left = sum(span.status is Status.OPEN for span in joined)
        if left:
            made = Reading(
                fresh_id(), reading.item, "disagreements", reading.sample, spans=left,
                created=self.store.now,
            )  # fmt: skip
            readings.add(cursor, made)

    def _propose(self, cursor: Cursor, person: Person, view: View) -> None:
        for proposal in proposals(view.content, view.state):
            identity = proposed.propose(self.store, cursor, proposal)
            proposed.support(cursor, identity, view.reading.id, person.id)

    def reopen(self, person: Person, reading: str, version: int) -> View:
        """Open a finished reading again; what it proposed is withdrawn.

        Raises:
            NotFound: there is no such reading for this person.
            Conflict: both blind readings are done, or a proposal that followed was decided.
        """
        with self.store.step("reopen", person.id, reading=reading) as cursor:
            view = self._permitted(cursor, person, reading)
            both = readings.of_item(cursor, view.reading.item, "recall") if view.is_blind else ()
            if both and all(other.done for other in both):
                raise Conflict("both have read it: the reading counts now")
            proposed.withdraw(cursor, reading)
            left = 0 if view.is_blind else view.open
            readings.bump(cursor, reading, version, done=0, spans=left)
            return self._permitted(cursor, person, reading)


def _shown(reading: Reading, content: Content, state: State) -> tuple[int, ...]:
    """Free texts in a sample, the text that is asked about, else all."""
    if reading.queue in {"recall", "disagreements"}:
        return content.free
    if 0 <= reading.focus < len(state):
        return (state[reading.focus].text,)
    return tuple(range(len(content.texts)))


def phrase_of(view: View, span: int) -> str:
    """The text of a span."""
    judged = view.state[span]
    return view.content.texts[judged.text].text[judged.start : judged.end]


def _same(other: View, view: View, span: int, action: Action) -> Iterable[Action]:
    """The actions that do the same in another reading: whole words, spans that are open.

    An addition is made wherever no span stands; anything else is done to spans of that extent.
    """
    judged = view.state[span]
    phrase = phrase_of(view, span)
    for number in other.texts:
        for start, end in occurrences(other.content.texts[number].text, phrase):
            here = [
                n
                for n, s in enumerate(other.state)
                if s.text == number and s.start < end and start < s.end
            ]
            exact = [n for n in here if (other.state[n].start, other.state[n].end) == (start, end)]
            if exact and action.kind is not Kind.ADD:
                first = other.state[exact[0]]
                itself = other.reading.id == view.reading.id and exact[0] == span
                if itself or (first.status is Status.OPEN and first.label == judged.label):
                    yield replace(action, span=exact[0])
            elif not here and action.kind is Kind.ADD:
                yield replace(action, text=number, start=start, end=end, label=judged.label)
