"""The operations of a person on a reading: view, judge, undo, finish, reopen.

Each is one transaction with its audit event, so a view is recorded before anything is shown.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from adapter.review.judging import actions as judging
from adapter.review.judging.actions import ActionError, Kind, Status
from adapter.review.judging.proposals import proposals
from adapter.review.roles import scope
from adapter.review.store import proposed, readings
from adapter.review.store.protocol import Conflict
from adapter.review.store.readings import Reading
from adapter.review.store.store import fresh_id
from adapter.review.views import blind, load, permitted, readers

if TYPE_CHECKING:
    from collections.abc import Sequence

    from adapter.review.judging.actions import Action
    from adapter.review.judging.items import Content
    from adapter.review.store.people import Person
    from adapter.review.store.protocol import Cursor
    from adapter.review.store.store import Store
    from adapter.review.views import View


@dataclass(frozen=True, slots=True)
class Desk:
    """The operations on a store."""

    store: Store

    def view(self, person: Person, reading: str) -> View:
        """Return a reading, after recording who views it.

        Raises:
            NotFound: there is no such reading for this person.
            StoreError: the event cannot be written, so nothing is shown.
        """
        with self.store.step("view", person.id, reading=reading) as cursor:
            return permitted(self.store, cursor, person, reading)

    def act(self, person: Person, reading: str, version: int, actions: Sequence[Action]) -> View:
        """Apply actions to spans; each call is undone as a whole.

        Raises:
            NotFound: there is no such reading for this person.
            ActionError: an action is not possible.
            Conflict: the reading was changed by somebody else, or is finished.
        """
        kinds = sorted({str(action.kind) for action in actions})
        with self.store.step("judge", person.id, reading=reading, kinds=kinds) as cursor:
            view, batch = permitted(self.store, cursor, person, reading), fresh_id()
            judge(self.store, cursor, person, view, version=version, actions=actions, batch=batch)
            return permitted(self.store, cursor, person, reading)

    def undo(self, person: Person, reading: str, version: int) -> View:
        """Undo this person's last step on a reading, including its changes to other readings.

        Raises:
            NotFound: there is no such reading for this person.
            Conflict: there is nothing to undo, or a later change depends on it.
        """
        with self.store.step("undo", person.id, reading=reading) as cursor:
            view = permitted(self.store, cursor, person, reading)
            if view.reading.done:
                raise Conflict("it is finished: reopen it first")
            mine = [s for s in view.steps if not s.undone and s.person == person.id]
            if not mine:
                raise Conflict("there is nothing to undo")
            batch = mine[-1].batch
            for name in readings.batch_readings(cursor, batch):
                self._undo_batch(cursor, name, batch, version if name == reading else None)
            return permitted(self.store, cursor, person, reading)

    def _undo_batch(self, cursor: Cursor, name: str, batch: str, version: int | None) -> None:
        found = readings.of(cursor, name)
        if found is None:
            return
        steps = [s for s in readings.steps(cursor, self.store.box, name) if not s.undone]
        if found.done or steps[-1].batch != batch:
            raise Conflict("something was done after it: undo that first")
        readings.mark_undone(cursor, name, batch)
        view = load(self.store, cursor, found)
        left = 0 if view.is_blind else view.open
        readings.bump(cursor, name, found.version if version is None else version, spans=left)

    def finish(self, person: Person, reading: str, version: int) -> str | None:
        """Finish a reading, and return the id of the next one, or None.

        The decisions become proposals. The second blind reading of an item that differs from
        the first opens a disagreement.

        Raises:
            NotFound: there is no such reading for this person.
            Conflict: the reading was changed by somebody else, or has spans left to judge.
        """
        with self.store.step("finish", person.id, reading=reading) as cursor:
            view = permitted(self.store, cursor, person, reading)
            if view.reading.done:
                raise Conflict("it is finished already")
            if view.reading.queue in {"uncertain", "disagreements"} and view.open:
                raise Conflict("there are spans left to judge")
            readings.bump(cursor, reading, version, done=self.store.now, spans=0)
            if view.is_blind:
                self._compare(cursor, view.reading, view.content)
            else:
                self._propose(cursor, person, view)
            return readings.following(cursor, view.reading, scope(person))

    def released(self, person: Person, reading: str) -> View:
        """Finish the reading of a held message that was released; decisions become proposals.

        Raises:
            NotFound: there is no such reading for this person.
        """
        with self.store.step("released", person.id, reading=reading) as cursor:
            view = permitted(self.store, cursor, person, reading)
            if not view.reading.done:
                now = self.store.now
                readings.bump(cursor, reading, view.reading.version, done=now, spans=0)
                self._propose(cursor, person, view)
            return permitted(self.store, cursor, person, reading)

    def _compare(self, cursor: Cursor, reading: Reading, content: Content) -> None:
        """Open a disagreement once both readers are done and differ."""
        both = readings.of_item(cursor, reading.item, "recall")
        if not all(other.done for other in both):
            return
        read = readers(cursor, reading.item)
        joined = judging.joined(blind(self.store, cursor, content, read))
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
        """Reopen a finished reading, and withdraw its proposals.

        Raises:
            NotFound: there is no such reading for this person.
            Conflict: the reading was changed by somebody else, both blind readings are done, or a
                proposal of this one was decided.
        """
        with self.store.step("reopen", person.id, reading=reading) as cursor:
            view = permitted(self.store, cursor, person, reading)
            both = readings.of_item(cursor, view.reading.item, "recall") if view.is_blind else ()
            if both and all(other.done for other in both):
                raise Conflict("both have read it: the reading counts now")
            proposed.withdraw(cursor, reading)
            left = 0 if view.is_blind else view.open
            readings.bump(cursor, reading, version, done=0, spans=left)
            return permitted(self.store, cursor, person, reading)


def judge(
    store: Store,
    cursor: Cursor,
    person: Person,
    view: View,
    *,
    version: int,
    actions: Sequence[Action],
    batch: str,
) -> None:
    """Apply actions to spans of a reading, within a transaction that records its event.

    Raises:
        ActionError: an action is not possible.
        Conflict: the reading was changed by somebody else, or is finished.
    """
    if view.reading.done:
        raise Conflict("it is finished: reopen it first")
    if any(action.kind is not Kind.ADD and action.span not in view.spans for action in actions):
        raise ActionError("there is no such span")
    if any(action.kind is Kind.ADD and action.text not in view.texts for action in actions):
        raise ActionError("there is no such text")
    state = judging.folded(view.content, view.state, actions)
    left = replace(view, state=state).open if view.reading.queue != "recall" else 0
    readings.bump(cursor, view.reading.id, version, spans=left)
    by = readings.By(batch, person.id, store.now)
    readings.act(cursor, store.box, view.reading.id, by, actions)
